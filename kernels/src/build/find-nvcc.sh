# Sets nvcc, where it is empty, to the compiler on PATH, else under CUDA_HOME, else under /usr/local/cuda; to be sourced.
if [ -z "$nvcc" ]; then
  for candidate in "$(command -v nvcc || true)" "${CUDA_HOME:-/nonexistent}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then nvcc=$candidate; break; fi
  done
fi
