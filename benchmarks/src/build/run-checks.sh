#!/usr/bin/env bash
# Compiles and runs programs that run the strong levels' kernels on a CPU, and compare them with plain algorithms.
#
#   run-checks.sh SOURCES KERNELS FOLDER
#     SOURCES   of the programs
#     KERNELS   sources of the kernels
#     FOLDER    for the programs and what they print
#
# SKIPPED where there is no g++, or another processor than x86-64, whose stacks the fibres switch.
set -euo pipefail
sources=$1 kernels=$2 folder=$3
skip() { echo "[WARNING] SKIPPED: the checks of the strong levels' kernels on a CPU: $*"; exit 0; }

[ "$(uname -m)" = x86_64 ] || skip "not x86-64"
command -v g++ >/dev/null || skip "no g++"
mkdir -p "$folder"

check() {
  local program=$folder/$1
  g++ -O2 -std=c++17 -I "$kernels" "$sources/$1.cpp" "$sources/fibres/fibres.cpp" -o "$program" &&
    "$program" -q >"$program.txt" && return
  echo "$1 failed:" >&2
  [ ! -f "$program.txt" ] || head -n 20 "$program.txt" >&2
  return 1
}
check strong_order_check & order=$!
check strong_candidates_check & candidates=$!
status=0
wait "$order" || status=1
wait "$candidates" || status=1
[ $status = 0 ] || exit $status
for program in strong_order_check strong_candidates_check; do
  echo "[INFO] $program: $(tail -n 1 "$folder/$program.txt")"
done
