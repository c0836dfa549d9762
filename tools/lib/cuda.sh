# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The CUDA Toolkit, which is never installed from here: its version has to fit the driver. The simulated
# suite does without it and needs the headers of the runtime alone; those are installed, into .venv.

# What CMake is told of CUDA, once choose_cuda and provide_cuda_headers are through.
cuda_arguments=()

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

# Sets nvcc to one that will do, or nvcc_problem to why there is none, without and with what to do about it.
look_for_nvcc() {
  local found version where="on PATH or in /usr/local/cuda*/bin"
  nvcc='' nvcc_problem='' nvcc_remedy=''
  if ! found=$(find_nvcc); then
    [[ -z "${CUDA_PATH:-}" ]] || where="in CUDA_PATH=${CUDA_PATH}"
    [[ -z "${CUDACXX:-}" ]] || where="at CUDACXX=${CUDACXX}"
    nvcc_problem="no nvcc ${where}"
    nvcc_remedy=": install the CUDA Toolkit 12.4 or newer, or say where it is with CUDACXX or CUDA_PATH"
  elif ! version=$("${found}" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'); then
    nvcc_problem="${found} --version fails"
  elif ! at_least "${version:-0}" 12.4; then
    nvcc_problem="${found} is CUDA ${version:-unknown}; 12.4 or newer is needed"
  else
    nvcc=${found}
  fi
}

# choose_cuda required [HINT]   build with nvcc, or give up
# choose_cuda preferred         build with nvcc where there is one, else with the headers alone
# choose_cuda headers           build with the headers alone
# An nvcc that the environment names and that will not do is never passed over.
choose_cuda() {
  local need=$1 hint=${2:-}
  look_for_nvcc
  if [[ -z ${nvcc} && (${need} == required || -n ${CUDACXX:-}${CUDA_PATH:-}) ]]; then
    give_up "${nvcc_problem}${nvcc_remedy}${hint}"
  fi
  if [[ -n ${nvcc} && ${need} != headers ]]; then
    # Where CMake looks.
    export CUDACXX=${nvcc}
    cuda_arguments=(-DCOPYBENCH_CUDA=ON)
    return
  fi
  [[ ${need} == headers ]] || say "${nvcc_problem}: building without it, the simulated suite alone"
  cuda_arguments=(-DCOPYBENCH_CUDA=OFF)
  cuda_headers=${COPYBENCH_CUDA_INCLUDE_DIR:-}
  if [[ -z ${cuda_headers} && -n ${nvcc} && -r ${nvcc%/bin/*}/include/cuda_runtime_api.h ]]; then
    cuda_headers=${nvcc%/bin/*}/include
  fi
}

has_cuda() {
  [[ ${cuda_arguments[0]} == -DCOPYBENCH_CUDA=ON ]]
}

# Whether provide_cuda_headers will need a Python to install with.
needs_header_package() {
  ! has_cuda && [[ -z ${cuda_headers} ]] && ! has_requirements cuda-headers
}

# Makes sure of the headers where there is no nvcc: those of the environment, of the toolkit, or of PyPI.
provide_cuda_headers() {
  local candidate
  ! has_cuda || return 0
  if [[ -z ${cuda_headers} ]]; then
    install_requirements cuda-headers ||
      give_up "no headers of CUDA; COPYBENCH_CUDA_INCLUDE_DIR names a folder with those of 12.4 or newer"
    for candidate in "${venv:?}"/lib/python3*/site-packages/nvidia/cu13/include; do
      [[ ! -r ${candidate}/cuda_runtime_api.h ]] || cuda_headers=${candidate}
    done
    [[ -n ${cuda_headers} ]] || give_up "tools/requirements-cuda-headers.txt is installed, but ${venv} lacks its headers"
  fi
  cuda_arguments+=("-DCOPYBENCH_CUDA_INCLUDE_DIR=${cuda_headers}")
}
