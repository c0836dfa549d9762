# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The CUDA Toolkit, which is never installed from here: its version has to fit the driver.

# Prints the nvcc to use: CUDACXX, then CUDA_PATH, PATH, /usr/local/cuda and the newest /usr/local/cuda-*.
find_nvcc() {
  local candidate
  if [[ -n "${CUDACXX:-}" ]]; then
    command -v "${CUDACXX}"
    return
  fi
  if [[ -n "${CUDA_PATH:-}" ]]; then
    [[ -x "${CUDA_PATH}/bin/nvcc" ]] && echo "${CUDA_PATH}/bin/nvcc"
    return
  fi
  command -v nvcc && return
  for candidate in /usr/local/cuda/bin/nvcc $(compgen -G '/usr/local/cuda-*/bin/nvcc' | sort -rV); do
    if [[ -x "${candidate}" ]]; then
      echo "${candidate}"
      return
    fi
  done
  return 1
}

# Sets CUDACXX, which is where CMake looks, or gives up.
require_cuda() {
  local nvcc version
  if ! nvcc=$(find_nvcc); then
    local where="on PATH or in /usr/local/cuda*/bin"
    [[ -z "${CUDA_PATH:-}" ]] || where="in CUDA_PATH=${CUDA_PATH}"
    [[ -z "${CUDACXX:-}" ]] || where="at CUDACXX=${CUDACXX}"
    give_up "no nvcc ${where}: install the CUDA Toolkit 12.4 or newer, or say where it is with CUDACXX or CUDA_PATH"
  fi
  version=$("${nvcc}" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p') ||
    give_up "${nvcc} --version fails"
  at_least "${version:-0}" 12.4 || give_up "${nvcc} is CUDA ${version:-unknown}; 12.4 or newer is needed"
  export CUDACXX="${nvcc}"
}
