# SPDX-License-Identifier: Apache-2.0
# copybench_precompile(TARGET): what most files include and what takes longest to read is read once for the target,
# where COPYBENCH_PRECOMPILE asks for it. No file may count on it: tools/lint reads each of them without.
function(copybench_precompile target)
  if(NOT COPYBENCH_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(
    ${target}
    PRIVATE
      <algorithm>
      <chrono>
      <condition_variable>
      <functional>
      <map>
      <memory>
      <mutex>
      <optional>
      <span>
      <string>
      <thread>
      <vector>
      <cuda_runtime_api.h>
  )
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Out of a precompiled header g++ warns of the standard library's own code.
    target_compile_options(
      ${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow>"
    )
  endif()
endfunction()
