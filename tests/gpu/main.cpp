// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/kernels.hpp"

namespace copybench {
namespace {

class GpuEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    int devices = 0;
    const cudaError_t code = cudaGetDeviceCount(&devices);
    if (code != cudaSuccess) {
      GTEST_SKIP() << "no usable GPU: " << cudaGetErrorString(code);
    }
    if (devices == 0) {
      GTEST_SKIP() << "no usable GPU: the driver lists none";
    }
    load_kernels();
  }
};

}  // namespace
}  // namespace copybench

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // GoogleTest owns it from here on.
  testing::AddGlobalTestEnvironment(new copybench::GpuEnvironment);
  return RUN_ALL_TESTS();
}
