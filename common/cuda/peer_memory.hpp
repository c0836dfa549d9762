// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

namespace copybench {

/// The device after the current one, or device 0 after the last. Throws CudaError.
[[nodiscard]] int peer_device();

/// Owner of memory on peer_device(), which has to be another one. The current device gets
/// access to it where the two can reach each other; otherwise copies between them go through the
/// host. Throws CudaError, and std::runtime_error when the memory does not fit there.
class PeerMemory {
 public:
  explicit PeerMemory(std::size_t bytes);

  [[nodiscard]] std::byte* data() const noexcept { return memory_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }
  /// Whether the current device reaches the memory by itself.
  [[nodiscard]] bool is_reached_directly() const noexcept { return direct_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept;
  };
  std::size_t bytes_;
  bool direct_ = false;
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace copybench
