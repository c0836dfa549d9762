// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/device.hpp"

#include <cstdlib>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace copybench {
namespace {

TEST(DescribeMissingDevice, TellsTheReasonsApart) {
  EXPECT_EQ(describe_missing_device(cudaErrorInsufficientDriver, 0, 13000),
            "no NVIDIA driver is installed (libcuda.so.1 was not found)");
  EXPECT_EQ(describe_missing_device(cudaErrorInsufficientDriver, 12040, 13010),
            "the NVIDIA driver is too old: it serves CUDA 12.4, this program was built with CUDA "
            "13.1");
  EXPECT_EQ(describe_missing_device(cudaErrorDevicesUnavailable, 13000, 13000),
            "the device cannot be used: cudaErrorDevicesUnavailable (CUDA-capable device(s) is/are "
            "busy or unavailable)");
}

TEST(DescribeMissingDevice, NamesTheVariableThatHidesTheDevices) {
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(describe_missing_device(cudaErrorNoDevice, 13000, 13000),
            "the driver finds no CUDA device");
  setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
  EXPECT_EQ(describe_missing_device(cudaErrorNoDevice, 13000, 13000),
            "no CUDA device is left by CUDA_VISIBLE_DEVICES=-1");
  unsetenv("CUDA_VISIBLE_DEVICES");
}

}  // namespace
}  // namespace copybench
