# SPDX-License-Identifier: Apache-2.0
# Finds what the project is built on:
#   copybench_cuda_headers   the headers of the CUDA Toolkit, without any library
#   copybench_cuda_runtime   the CUDA runtime, static unless COPYBENCH_SHARED_CUDART
#   benchmark::benchmark     Google Benchmark, and COPYBENCH_BENCHMARK_VERSION, a number
#   GTest::gtest_main        where the tests are built

# For projects that ask for CMake 3.25, the module of CMake 3.25 (Debian 12) marks a library deprecated that
# CUDA 13 no longer has, and fails on it. It is not told so.
set(minimum_required ${CMAKE_MINIMUM_REQUIRED_VERSION})
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
find_package(CUDAToolkit 12.4 REQUIRED)
set(CMAKE_MINIMUM_REQUIRED_VERSION ${minimum_required})
find_package(Threads REQUIRED)

# Warnings in NVIDIA's headers are not ours to mend.
add_library(copybench_cuda_headers INTERFACE)
target_include_directories(copybench_cuda_headers SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})

add_library(copybench_cuda_runtime INTERFACE)
if(COPYBENCH_SHARED_CUDART)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  target_link_libraries(copybench_cuda_runtime INTERFACE CUDA::cudart)
else()
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  target_link_libraries(copybench_cuda_runtime INTERFACE CUDA::cudart_static)
endif()

find_package(benchmark 1.7.1 QUIET)
if(NOT benchmark_FOUND AND COPYBENCH_FETCH_BENCHMARK)
  include(FetchContent)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  FetchContent_Declare(
    benchmark
    GIT_REPOSITORY https://github.com/google/benchmark.git
    GIT_TAG 192ef10025eb2c4cdd392bc502f0c852196baa48 # v1.9.5
    SYSTEM
  )
  FetchContent_MakeAvailable(benchmark)
  set(benchmark_VERSION 1.9.5)
elseif(NOT benchmark_FOUND)
  message(FATAL_ERROR
    "Google Benchmark 1.7.1 or newer was not found. Install libbenchmark-dev (Debian, Ubuntu), or point "
    "CMAKE_PREFIX_PATH at an installation, or configure with -DCOPYBENCH_FETCH_BENCHMARK=ON to download it.")
endif()
message(STATUS "Google Benchmark ${benchmark_VERSION}")

# Google Benchmark has no version macro. 1.9.5 becomes 10905.
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)" matched "${benchmark_VERSION}")
if(NOT matched)
  message(FATAL_ERROR "Google Benchmark gives no usable version: \"${benchmark_VERSION}\"")
endif()
math(EXPR COPYBENCH_BENCHMARK_VERSION "${CMAKE_MATCH_1} * 10000 + ${CMAKE_MATCH_2} * 100 + ${CMAKE_MATCH_3}")

if(COPYBENCH_BUILD_TESTS)
  find_package(GTest 1.12 QUIET)
  if(NOT GTest_FOUND)
    message(FATAL_ERROR
      "GoogleTest 1.12 or newer was not found. Install libgtest-dev and libgmock-dev (Debian, Ubuntu), or configure with "
      "-DCOPYBENCH_BUILD_TESTS=OFF to build without the tests.")
  endif()
endif()
