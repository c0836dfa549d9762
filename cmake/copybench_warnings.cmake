# SPDX-License-Identifier: Apache-2.0
# copybench_warnings: the warnings every target of this project compiles under.
add_library(copybench_warnings INTERFACE)

set(host_warnings -Wall -Wextra)
set(cxx_warnings
  ${host_warnings}
  -Wpedantic
  -Wcast-qual
  -Wconversion
  -Wextra-semi
  -Wnon-virtual-dtor
  -Wold-style-cast
  -Woverloaded-virtual
  -Wshadow
  -Wsign-conversion
  -Wundef
)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND cxx_warnings -Wduplicated-branches -Wduplicated-cond -Wlogical-op)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 sees overlapping copies in "text" + std::string() (GCC bug 105651).
    list(APPEND cxx_warnings -Wno-restrict)
  endif()
endif()
set(cuda_warnings --Wreorder --Wext-lambda-captures-this)
if(COPYBENCH_WARNINGS_AS_ERRORS)
  list(APPEND cxx_warnings -Werror)
  list(APPEND cuda_warnings --Werror=all-warnings)
endif()

# The host half of a .cu passes through files that nvcc generates, so it gets the short list only.
list(TRANSFORM host_warnings PREPEND "-Xcompiler=" OUTPUT_VARIABLE cuda_host_warnings)

target_compile_options(
  copybench_warnings
  INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${cxx_warnings}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_warnings};${cuda_host_warnings}>"
)
