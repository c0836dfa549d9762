# SPDX-License-Identifier: Apache-2.0
# copybench_sanitizer: what COPYBENCH_SANITIZE adds to the compilation of host code and to every link.
add_library(copybench_sanitizer INTERFACE)

if(COPYBENCH_SANITIZE)
  set(sanitizer_flags -fsanitize=${COPYBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(copybench_sanitizer INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${sanitizer_flags}>")
  # HOST_LINK keeps the flags away from nvcc's device link, which does not know them.
  target_link_options(copybench_sanitizer INTERFACE "$<HOST_LINK:-fsanitize=${COPYBENCH_SANITIZE}>")
endif()
