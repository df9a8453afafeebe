#!/usr/bin/env bash
# Compiles every src/main/cuda/W/W.cu to OUT/W.fatbin and describes the result in OUT/kernels.properties.
#
#   compile-kernels.sh SOURCES OUT STAMPS ARCHITECTURES PTX NVCC KERNELS
#     STAMPS         folder that remembers from which inputs each fatbin was made; not part of the jar
#     ARCHITECTURES  compute capabilities without the dot, comma separated (90 or 75,80,90): machine code for each
#     PTX            likewise, may be empty: portable code, which the driver compiles on devices that are none of ARCHITECTURES and not older
#     NVCC           the compiler; empty: the one on PATH, else under CUDA_HOME, else under /usr/local/cuda
#     KERNELS        wanted: without a compiler the build goes on with no kernels, and says so; required: it fails; none: no kernels, whatever there is
#
# Machine code is made of the PTX here too, as a driver would, and thrown away: what ptxas refuses on the oldest device ends the build.
# A fatbin is made again only when its sources, the options or the compiler have changed. The same sources give the same bytes in any folder:
# no name in a kernel has internal linkage (static, or an unnamed namespace), because the compiler would put a hash of the folder into it.
set -euo pipefail
sources=$1 out=$2 stamps=$3 architectures=${4// /} ptx=${5// /} nvcc=$6 kernels=$7
case $kernels in wanted | required | none) ;; *) echo "-Dkernels=$kernels: wanted, required or none" >&2; exit 64 ;; esac
mkdir -p "$out" "$stamps"
out=$(cd "$out" && pwd) stamps=$(cd "$stamps" && pwd)

no_kernels() {
  rm -f "$out"/*.fatbin
  printf 'toolkit=\nsass=\nptx=\nwords=\n' > "$out/kernels.properties"
}

if [ "$kernels" = none ]; then
  no_kernels
  echo "[INFO] no kernels, as -Dkernels=none says: the kernels jar of this build is empty"
  exit 0
fi
. "$(dirname "${BASH_SOURCE[0]}")/find-nvcc.sh"
if [ -z "$nvcc" ] || [ ! -x "$nvcc" ]; then
  looked=${nvcc:-PATH, CUDA_HOME and /usr/local/cuda}
  if [ "$kernels" = required ]; then
    echo "no CUDA compiler: nvcc was not found ($looked). A release has kernels: install CUDA 13 or pass -Dnvcc.executable=/path/to/nvcc; -Dkernels=none makes one for the CPU alone" >&2
    exit 1
  fi
  no_kernels
  cat >&2 <<WARNING
[WARNING] ************************************************************************
[WARNING] *  NO CUDA COMPILER: nvcc was not found ($looked)
[WARNING] *  The kernels jar of this build holds NO KERNELS.
[WARNING] *  Everything works, but on the CPU engine only.
[WARNING] *  Install CUDA 13 or pass -Dnvcc.executable=/path/to/nvcc.
[WARNING] ************************************************************************
WARNING
  exit 0
fi

toolkit=$("$nvcc" --version | sed -n 's/^.*release \([0-9][0-9.]*\).*$/\1/p')
# Not compressed: the jar does that, and what is in a fatbin can be searched.
options=(-std=c++17 -O3 -Werror all-warnings)
flags=("${options[@]}" -fatbin -no-compress)
for architecture in ${architectures//,/ }; do flags+=(-gencode "arch=compute_$architecture,code=sm_$architecture"); done
for architecture in ${ptx//,/ }; do flags+=(-gencode "arch=compute_$architecture,code=compute_$architecture"); done

# The folders that a word is made of: its own, those that its files include, those that their files include, and so on.
folders_of() {
  local folders=$1 more
  while more=$(cd "$sources" && { printf '%s\n' $folders; for folder in $folders; do sed -n 's|^#include "\.\./\([^/]*\)/.*|\1|p' "$folder"/*.cu*; done; } | LC_ALL=C sort -u) && [ "$more" != "$folders" ]; do
    folders=$more
  done
  printf '%s\n' "$folders"
}

# Makes machine code of one word's PTX, which the compiler kept in a folder, unless the fatbin has that code.
assemble() {
  local word=$1 folder=$2 architecture kept
  for architecture in ${ptx//,/ }; do
    case ",$architectures," in *",$architecture,"*) continue ;; esac
    kept=$folder/$word.compute_$architecture.ptx
    # its name where it is all that was made
    [ -f "$kept" ] || kept=$folder/$word.ptx
    "$nvcc" "${options[@]}" -cubin -arch="sm_$architecture" -o "$folder/$word.cubin" "$kept" || return 1
  done
}

# Makes one word's fatbin. What the compiler keeps on its way lies in a folder of the word's until then.
compile() {
  local word=$1 inputs=$2 kept=$stamps/$1.kept
  echo "[INFO] nvcc $toolkit: $word (machine code ${architectures:-none}, PTX ${ptx:-none})"
  rm -rf "$kept"
  mkdir "$kept"
  (cd "$sources" && "$nvcc" "${flags[@]}" --keep --keep-dir "$kept" -o "$out/$word.fatbin.part" "$word/$word.cu") || return 1
  if grep -q -a _INTERNAL_ "$out/$word.fatbin.part"; then
    echo "$word: a name in it has internal linkage, so that it depends on the folder: declare variables extern, name namespaces" >&2
    return 1
  fi
  assemble "$word" "$kept" || return 1
  rm -rf "$kept"
  mv "$out/$word.fatbin.part" "$out/$word.fatbin" && echo "$inputs" > "$stamps/$word.inputs"
}

# As many at a time as there are processors. One that fails leaves no stamp, so that the next build makes it again, and ends the build.
processors=$(getconf _NPROCESSORS_ONLN)
trap wait EXIT
words=
for source in "$sources"/*/*.cu; do
  word=$(basename "$source" .cu)
  if [ "$(basename "$(dirname "$source")")" != "$word" ]; then echo "$source: must lie in a folder named $word" >&2; exit 1; fi
  words=${words:+$words,}$word
  folders=$(folders_of "$word")
  inputs=$( (echo "$toolkit ${flags[*]}, assembled"; cd "$sources" && find $folders -type f \( -name '*.cu' -o -name '*.cuh' \) | LC_ALL=C sort | xargs sha256sum) | sha256sum | cut -d' ' -f1)
  stamp=$stamps/$word.inputs
  if [ -s "$out/$word.fatbin" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$inputs" ]; then continue; fi
  rm -f "$stamp"
  while [ "$(jobs -rp | wc -l)" -ge "$processors" ]; do wait -n; done
  compile "$word" "$inputs" &
done
wait
for word in ${words//,/ }; do [ -f "$stamps/$word.inputs" ]; done
for fatbin in "$out"/*.fatbin; do
  case ",$words," in *",$(basename "$fatbin" .fatbin),"*) ;; *) rm -f "$fatbin";; esac
done
printf 'toolkit=%s\nsass=%s\nptx=%s\nwords=%s\n' "$toolkit" "$architectures" "$ptx" "$words" > "$out/kernels.properties"
