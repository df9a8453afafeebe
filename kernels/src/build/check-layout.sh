#!/usr/bin/env bash
# Compares CUDA sources with .clang-format and prints how many lines would change.
#
#   check-layout.sh report|check|apply FOLDER...
#     report   prints the sum and goes on
#     check    prints each file, and fails if a line would change
#     apply    lays the files out
#
# Needs clang-format 19, as clang-format-19, clang-format or $CLANG_FORMAT; where it is missing the check is SKIPPED, and apply fails.
set -euo pipefail
readonly VERSION=19
mode=$1
shift
case $mode in report | check | apply) ;; *) echo "check-layout.sh: report, check or apply, not $mode" >&2; exit 64 ;; esac

formatter=
for candidate in ${CLANG_FORMAT:+"$CLANG_FORMAT"} "clang-format-$VERSION" clang-format; do
  if "$candidate" --version 2>/dev/null | grep -q "version $VERSION\."; then formatter=$candidate; break; fi
done
if [ -z "$formatter" ]; then
  if [ "$mode" = apply ]; then echo "check-layout.sh: no clang-format $VERSION" >&2; exit 69; fi
  echo "[WARNING] SKIPPED: the layout of CUDA sources is not checked: no clang-format $VERSION"
  exit 0
fi

files=0 others=0 lines=0
while IFS= read -r -d '' file; do
  files=$((files + 1))
  if [ "$mode" = apply ]; then "$formatter" -i "$file"; continue; fi
  laid_out=$("$formatter" "$file"; echo .)
  changed=$(printf %s "${laid_out%.}" | diff "$file" - | grep -c '^[<>]' || true)
  if [ "$changed" -ne 0 ]; then
    others=$((others + 1)) lines=$((lines + changed))
    [ "$mode" = report ] || echo "layout: $file: $changed lines (removed and added)"
  fi
done < <(find "$@" -type f \( -name '*.cu' -o -name '*.cuh' -o -name '*.h' \) -print0 | LC_ALL=C sort -z)
if [ "$files" -eq 0 ]; then echo "check-layout.sh: no sources in $*" >&2; exit 66; fi
if [ "$mode" = apply ]; then echo "[INFO] layout of CUDA sources: $files files laid out"; exit 0; fi
if [ "$lines" -eq 0 ]; then echo "[INFO] layout of CUDA sources: all $files files are as .clang-format says"; exit 0; fi
echo "[WARNING] layout of CUDA sources: $others of $files files differ from .clang-format in $lines lines (removed and added); check-layout.sh apply lays them out"
[ "$mode" = report ]
