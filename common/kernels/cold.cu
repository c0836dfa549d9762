// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "common/kernels.hpp"
#include "common/kernels/launching.cuh"

namespace copybench {
namespace {

template <std::size_t number>
__global__ void cold_kernel() {}

using ColdKernel = void (*)();

template <std::size_t... numbers>
constexpr std::array<ColdKernel, sizeof...(numbers)> list_cold_kernels(
    std::index_sequence<numbers...> /*unused*/) {
  return {cold_kernel<numbers>...};
}

}  // namespace

void launch_cold_kernel(StreamView stream, std::size_t number) {
  static constexpr auto kernels = list_cold_kernels(std::make_index_sequence<cold_kernels>());
  kernels.at(number)<<<1, 1, 0, stream.get()>>>();
  check_launch("cold_kernel launch");
}

}  // namespace copybench
