# SPDX-License-Identifier: Apache-2.0
# Finds what the project is built on beside CUDA:
#   benchmark::benchmark   Google Benchmark, and COPYBENCH_BENCHMARK_VERSION, a number
#   GTest::gtest_main      where the tests are built

find_package(Threads REQUIRED)

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
