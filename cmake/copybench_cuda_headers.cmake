# SPDX-License-Identifier: Apache-2.0
# Without a CUDA compiler: fills copybench_cuda_headers from COPYBENCH_CUDA_INCLUDE_DIR, a toolkit that is
# not used otherwise, or the runtime package that tools/requirements-cuda-headers.txt puts into .venv.
set(venv "${PROJECT_SOURCE_DIR}/.venv")
if(DEFINED ENV{COPYBENCH_VENV})
  set(venv "$ENV{COPYBENCH_VENV}")
endif()
find_program(nvcc_program nvcc NO_CACHE)
cmake_path(GET nvcc_program PARENT_PATH nvcc_folder)
file(GLOB header_places "/usr/local/cuda/include" "/usr/local/cuda-*/include" "${venv}/lib/python3*/site-packages/nvidia/cu*/include")
find_path(
  COPYBENCH_CUDA_INCLUDE_DIR cuda_runtime_api.h
  HINTS ENV CUDA_PATH "${nvcc_folder}/.."
  PATHS ${header_places}
  PATH_SUFFIXES include
  DOC "Folder of cuda_runtime_api.h, where there is no CUDA compiler"
)

set(header "${COPYBENCH_CUDA_INCLUDE_DIR}/cuda_runtime_api.h")
if(NOT COPYBENCH_CUDA_INCLUDE_DIR OR NOT EXISTS "${header}")
  message(FATAL_ERROR
    "There is neither a CUDA compiler nor cuda_runtime_api.h in COPYBENCH_CUDA_INCLUDE_DIR="
    "${COPYBENCH_CUDA_INCLUDE_DIR}. tools/bench and tools/test fetch the headers; by hand, name nvcc in the environment "
    "variable CUDACXX, or set COPYBENCH_CUDA_INCLUDE_DIR to a folder with them: those of the packages in "
    "tools/requirements-cuda-headers.txt will do.")
endif()

# 13000 is 13.0 and 12040 is 12.4.
file(STRINGS "${header}" cuda_header_version REGEX "^#define CUDART_VERSION +[0-9]+")
string(REGEX REPLACE "[^0-9]" "" cuda_header_version "${cuda_header_version}")
math(EXPR header_major "${cuda_header_version} / 1000")
math(EXPR header_minor "${cuda_header_version} / 10 % 100")
set(cuda_header_version "${header_major}.${header_minor}")
if(cuda_header_version VERSION_LESS COPYBENCH_CUDA_OLDEST)
  message(FATAL_ERROR
    "COPYBENCH_CUDA_INCLUDE_DIR=${COPYBENCH_CUDA_INCLUDE_DIR} holds the headers of CUDA ${cuda_header_version}; "
    "${COPYBENCH_CUDA_OLDEST} or newer is needed.")
endif()
target_include_directories(copybench_cuda_headers SYSTEM INTERFACE "${COPYBENCH_CUDA_INCLUDE_DIR}")
