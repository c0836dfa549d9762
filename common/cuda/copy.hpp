// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <cuda_runtime_api.h>

#include "common/cuda/stream.hpp"

namespace copybench {

enum class Direction { h2d, d2h, d2d, h2h, p2p };

inline constexpr std::array<std::string_view, 5> direction_names{"h2d", "d2h", "d2d", "h2h", "p2p"};

[[nodiscard]] constexpr cudaMemcpyKind memcpy_kind(Direction direction) {
  switch (direction) {
    case Direction::h2d:
      return cudaMemcpyHostToDevice;
    case Direction::d2h:
      return cudaMemcpyDeviceToHost;
    case Direction::d2d:
    case Direction::p2p:
      return cudaMemcpyDeviceToDevice;
    case Direction::h2h:
      return cudaMemcpyHostToHost;
  }
  return cudaMemcpyDefault;
}

/// cudaMemcpyAsync. Whether it blocks the calling thread is what this suite is about.
void copy_async(std::byte* destination, const std::byte* source, std::size_t bytes,
                Direction direction, StreamView stream);

/// cudaMemcpy, which is ordered in the legacy stream.
void copy(std::byte* destination, const std::byte* source, std::size_t bytes, Direction direction);

}  // namespace copybench
