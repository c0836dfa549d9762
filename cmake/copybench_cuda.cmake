# SPDX-License-Identifier: Apache-2.0
# Settles what of CUDA there is, as COPYBENCH_CUDA asks:
#   COPYBENCH_HAS_CUDA       whether there is a compiler, and so the real suite; the simulated one needs none
#   copybench_cuda_headers   the headers of the CUDA runtime, without any library
#   copybench_cuda_runtime   the CUDA runtime, static unless COPYBENCH_SHARED_CUDART; only with a compiler
set(COPYBENCH_CUDA_OLDEST 12.4)

if(COPYBENCH_CUDA STREQUAL "AUTO")
  # One that was not there the last time may have been installed since.
  if(DEFINED CMAKE_CUDA_COMPILER AND NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  set(COPYBENCH_HAS_CUDA OFF)
  if(CMAKE_CUDA_COMPILER)
    set(COPYBENCH_HAS_CUDA ON)
  endif()
elseif(COPYBENCH_CUDA)
  set(COPYBENCH_HAS_CUDA ON)
else()
  set(COPYBENCH_HAS_CUDA OFF)
endif()

# Warnings in NVIDIA's headers are not ours to mend.
add_library(copybench_cuda_headers INTERFACE)

if(COPYBENCH_HAS_CUDA)
  enable_language(CUDA)
  # For projects that ask for CMake 3.25, the module of CMake 3.25 (Debian 12) marks a library deprecated that
  # CUDA 13 no longer has, and fails on it. It is not told so.
  set(minimum_required ${CMAKE_MINIMUM_REQUIRED_VERSION})
  set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
  find_package(CUDAToolkit ${COPYBENCH_CUDA_OLDEST} REQUIRED)
  set(CMAKE_MINIMUM_REQUIRED_VERSION ${minimum_required})
  target_include_directories(copybench_cuda_headers SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})

  add_library(copybench_cuda_runtime INTERFACE)
  if(COPYBENCH_SHARED_CUDART)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
    target_link_libraries(copybench_cuda_runtime INTERFACE CUDA::cudart)
  else()
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    target_link_libraries(copybench_cuda_runtime INTERFACE CUDA::cudart_static)
  endif()
  message(STATUS "CUDA ${CUDAToolkit_VERSION}: building copybench and copybench_sim")
else()
  include(copybench_cuda_headers)
  message(STATUS "No CUDA compiler (COPYBENCH_CUDA=${COPYBENCH_CUDA}): building copybench_sim alone, with the headers of "
                 "CUDA ${cuda_header_version} in ${COPYBENCH_CUDA_INCLUDE_DIR}")
endif()
