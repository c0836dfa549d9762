# SPDX-License-Identifier: Apache-2.0
# copybench_sanitizer: what COPYBENCH_SANITIZE adds to the compilation of host code and to every link.
add_library(copybench_sanitizer INTERFACE)

if(COPYBENCH_SANITIZE)
  set(sanitizer_flags -fsanitize=${COPYBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC's manual: under -fsanitize this warning is often wrong. It is, in std::regex.
    list(APPEND sanitizer_flags -Wno-maybe-uninitialized)
  endif()
  target_compile_options(copybench_sanitizer INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${sanitizer_flags}>")
  # HOST_LINK keeps the flag away from nvcc's device link, which does not know it; a comma would end its argument.
  string(REPLACE "," "$<COMMA>" link_flag "-fsanitize=${COPYBENCH_SANITIZE}")
  target_link_options(copybench_sanitizer INTERFACE "$<HOST_LINK:${link_flag}>")
endif()
