# SPDX-License-Identifier: Apache-2.0
# With COPYBENCH_CLANG_TIDY, clang-tidy runs beside the compiler. tools/lint does the same without it.
if(COPYBENCH_CLANG_TIDY)
  find_program(COPYBENCH_CLANG_TIDY_PROGRAM clang-tidy HINTS "${PROJECT_SOURCE_DIR}/.venv/bin")
  if(NOT COPYBENCH_CLANG_TIDY_PROGRAM)
    message(FATAL_ERROR "COPYBENCH_CLANG_TIDY=ON, but there is no clang-tidy: run tools/lint once, "
                        "which installs the pinned version into .venv.")
  endif()
  # clang-tidy reads the command line of g++ and would stumble over warnings that only g++ has.
  set(CMAKE_CXX_CLANG_TIDY "${COPYBENCH_CLANG_TIDY_PROGRAM};--quiet;--extra-arg=-Wno-unknown-warning-option;--extra-arg=-Wno-ignored-gch")
endif()
