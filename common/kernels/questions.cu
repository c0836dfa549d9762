// SPDX-License-Identifier: Apache-2.0
#include "common/kernels.hpp"
#include "common/kernels/launching.cuh"
#include "common/kernels/loading.hpp"

namespace copybench {
namespace {

__global__ void scale(float* values, std::size_t count, float factor, std::int64_t clock_ticks) {
  const std::size_t i = global_index();
  const long long begin = clock64();
  while (clock64() - begin < clock_ticks) {
  }
  if (i < count) {
    values[i] *= factor;
  }
}

__global__ void grow(double* values, std::size_t count, int k, std::int32_t size,
                     std::int32_t* destination, std::uint64_t sleep_ns) {
  const std::size_t i = global_index();
  if (i < count) {
    values[i] += 1.0 + (2.0 + k) * static_cast<double>(i);
  }
  if (i == 0) {
    *destination = size;
    hold_for(sleep_ns);
  }
}

}  // namespace

void load_questions() {
  load(scale);
  load(grow);
}

void launch_scale(StreamView stream, float* values, std::size_t count, float factor,
                  std::int64_t clock_ticks) {
  scale<<<blocks_for(count), block_size, 0, stream.get()>>>(values, count, factor, clock_ticks);
  check_launch("scale launch");
}

void launch_grow(StreamView stream, double* values, std::size_t count, int k, std::int32_t size,
                 std::int32_t* destination, std::uint64_t sleep_ns) {
  grow<<<blocks_for(count), block_size, 0, stream.get()>>>(values, count, k, size, destination,
                                                           sleep_ns);
  check_launch("grow launch");
}

}  // namespace copybench
