// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace copybench {

/// The program of the third question as arithmetic: what the host array must hold after each
/// communication, computed on the host and without CUDA, from the numbers of elements copied.
///
/// Both halves of the device array and the host array start at 0.14. Kernel k adds 1 + (2 + k) * i
/// to element i of half k mod 2; then copied[k] elements of that half go to the host array.
class PingPongModel {
 public:
  static constexpr std::size_t launches = 3;
  static constexpr double start_value = 0.14;
  /// What the kernels write as the size, and what host memory holds before.
  static constexpr std::array<std::int32_t, launches> sizes{5, 3, 4};
  static constexpr std::array<std::int32_t, 2> old_sizes{2, 7};

  explicit PingPongModel(std::size_t elements);

  /// Runs kernel k and copies; returns the host array afterwards.
  const std::vector<double>& step(std::size_t k, std::size_t copied);

 private:
  std::vector<double> host_;
  std::array<std::vector<double>, 2> halves_;
};

}  // namespace copybench
