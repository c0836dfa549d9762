# SPDX-License-Identifier: Apache-2.0
# copybench_build_info: the header "copybench_build_info.hpp", which says what the program was built from.
# It is looked at anew on every build, since a commit changes no file that the build knows, and is
# written only when its text changes, so that nothing is compiled for it in vain.
set(build_info_dir "${PROJECT_BINARY_DIR}/generated")
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}}" build_flags)
if(COPYBENCH_SANITIZE)
  string(APPEND build_flags " -fsanitize=${COPYBENCH_SANITIZE}")
endif()
set(build_cuda_compiler none)
if(COPYBENCH_HAS_CUDA)
  set(build_cuda_compiler "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}")
endif()
find_package(Git QUIET)

add_custom_target(
  copybench_build_info_refresh
  COMMAND
    "${CMAKE_COMMAND}"
    "-DGIT=${GIT_EXECUTABLE}"
    "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
    "-DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/copybench_build_info.hpp.in"
    "-DOUTPUT=${build_info_dir}/copybench_build_info.hpp"
    "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}"
    "-DBUILD_COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    "-DBUILD_CUDA_COMPILER=${build_cuda_compiler}"
    "-DBUILD_FLAGS=${build_flags}"
    -P "${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake"
  BYPRODUCTS "${build_info_dir}/copybench_build_info.hpp"
  COMMENT "Looking up the commit"
  VERBATIM
)

add_library(copybench_build_info INTERFACE)
target_include_directories(copybench_build_info INTERFACE "${build_info_dir}")
add_dependencies(copybench_build_info copybench_build_info_refresh)
