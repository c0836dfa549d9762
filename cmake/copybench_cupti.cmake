# SPDX-License-Identifier: Apache-2.0
# CUDA::cupti, where COPYBENCH_CUPTI asks for it. The module of CUDA's toolkit looks in extras/CUPTI, too.
if(COPYBENCH_CUPTI AND NOT COPYBENCH_HAS_CUDA)
  message(FATAL_ERROR "COPYBENCH_CUPTI needs the CUDA compiler: CUPTI sees nothing of the simulated runtime")
elseif(COPYBENCH_CUPTI AND NOT TARGET CUDA::cupti)
  message(FATAL_ERROR "COPYBENCH_CUPTI needs cupti.h and libcupti, which are not in ${CUDAToolkit_LIBRARY_ROOT}")
endif()
