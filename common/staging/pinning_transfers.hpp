// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/staging/array_transfer.hpp"

namespace copybench {

/// What many programs write: pinned memory of the array's size, for this one copy. Blocks until the
/// copy is complete, because the memory goes again.
class PinCopyTransfer final : public ArrayTransfer {
 public:
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream) override;
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream) override;
};

/// cudaHostRegister of the array itself, for this one copy. Blocks until the copy is complete.
class RegisterTransfer final : public ArrayTransfer {
 public:
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream) override;
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream) override;
};

}  // namespace copybench
