// SPDX-License-Identifier: Apache-2.0
#pragma once

/// In front of a function that kernels call as well as the host.
#if defined(__CUDACC__)
#define COPYBENCH_HOST_DEVICE __host__ __device__
#else
#define COPYBENCH_HOST_DEVICE
#endif
