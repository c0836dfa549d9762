// SPDX-License-Identifier: Apache-2.0
// Three kernels, each of which says how much of its array the host is to have. The next one is
// launched before the host knows how much that is.
#include <array>
#include <cstdio>
#include <span>

#include "common/chaining/dependent_copier.hpp"
#include "common/cuda/buffer.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/event.hpp"
#include "common/kernels.hpp"

using namespace copybench;

int main() {
  constexpr std::size_t room = 1024;
  constexpr std::array<std::int32_t, 3> sizes{5, 3, 4};
  const Buffer device_sizes(MemoryKind::device, sizes.size() * sizeof(std::int32_t));
  const Buffer device_data(MemoryKind::device, sizes.size() * room * sizeof(double));
  const Buffer host_data(MemoryKind::pinned, room * sizeof(double));
  auto* const device_size = reinterpret_cast<std::int32_t*>(device_sizes.data());
  auto* const device_values = reinterpret_cast<double*>(device_data.data());
  const std::span host_values(reinterpret_cast<double*>(host_data.data()), room);

  const Stream compute_stream(StreamKind::nonblocking);
  const Stream copy_stream(StreamKind::nonblocking);
  Event written;
  DependentCopier copier(copy_stream);

  load_kernels();
  check(cudaMemsetAsync(device_data.data(), 0, device_data.size(), compute_stream.get()),
        "cudaMemsetAsync");
  const auto launch = [&](std::size_t k) {
    // Element i of array k becomes 1 + (2 + k) * i, and device_size[k] becomes sizes[k].
    launch_grow(compute_stream, device_values + k * room, room, static_cast<int>(k), sizes.at(k),
                device_size + k, 0);
    written.record(compute_stream);
  };
  launch(0);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    wait(copy_stream, written);
    copier.start<double>(device_size + k, device_values + k * room, host_values);
    if (k + 1 < sizes.size()) {
      launch(k + 1);
    }
    std::printf("kernel %zu:", k);
    for (const double value : copier.finish<double>()) {
      std::printf(" %g", value);
    }
    std::printf("\n");
  }
}
