# SPDX-License-Identifier: Apache-2.0
# Run by copybench_build_info.cmake with cmake -P: fills TEMPLATE into OUTPUT, which stays untouched when equal.
set(BUILD_COMMIT unknown)
set(BUILD_DIRTY false)

# Only a repository of our own counts: an unpacked archive may lie inside somebody else's.
if(GIT AND EXISTS "${SOURCE_DIR}/.git")
  # Without safe.directory git refuses a tree that belongs to another user, as it does in containers.
  set(git "${GIT}" -c "safe.directory=${SOURCE_DIR}" -C "${SOURCE_DIR}")
  execute_process(
    COMMAND ${git} rev-parse --verify HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed
  )
  if(NOT failed)
    set(BUILD_COMMIT "${commit}")
    # Untracked files do not count: new results are untracked until they are committed.
    execute_process(
      COMMAND ${git} status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed
    )
    if(failed OR NOT changes STREQUAL "")
      set(BUILD_DIRTY true)
    endif()
  endif()
endif()

foreach(text IN ITEMS BUILD_TYPE BUILD_COMPILER BUILD_CUDA_COMPILER BUILD_FLAGS)
  string(REPLACE "\\" "\\\\" ${text} "${${text}}")
  string(REPLACE "\"" "\\\"" ${text} "${${text}}")
endforeach()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
