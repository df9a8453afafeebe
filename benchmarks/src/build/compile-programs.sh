#!/usr/bin/env bash
# Compiles every program of SOURCES, to see that the kernels that they include have not left them behind.
#
#   compile-programs.sh SOURCES KERNELS NVCC
#     KERNELS   sources of the kernels
#     NVCC      the compiler; empty: the one on PATH, else under CUDA_HOME, else under /usr/local/cuda
#
# Nothing is kept. SKIPPED where there is no nvcc 13, or no zlib.h, which most of them need.
set -euo pipefail
sources=$1 kernels=$2 nvcc=$3
skip() { echo "[WARNING] SKIPPED: the programs of benchmarks are not compiled: $*"; exit 0; }

. "$(dirname "${BASH_SOURCE[0]}")/../../../kernels/src/build/find-nvcc.sh"
[ -n "$nvcc" ] || skip "no nvcc"
echo '#include <zlib.h>' | cc -E -x c - >/dev/null 2>&1 || skip "no zlib.h"

compile() {
  "$nvcc" -std=c++17 -arch=sm_90 -Xptxas -O1 -I "$kernels" -c -o /dev/null "$1" && return
  echo "$1 does not compile" >&2
  return 255
}
export -f compile
export nvcc kernels
find "$sources" -name '*.cu' -print0 | xargs -0 -P "$(nproc)" -I{} bash -c 'compile "$1"' _ {}
echo "[INFO] $(find "$sources" -name '*.cu' | wc -l) programs compile"
