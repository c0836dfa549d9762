// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/staging/array_transfer.hpp"

namespace copybench {

/// cudaMemcpyAsync, whatever the memory.
class AsyncTransfer final : public ArrayTransfer {
 public:
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream) override;
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream) override;
};

/// cudaMemcpy. The stream must be the legacy one: there is no other for it.
class SynchronousTransfer final : public ArrayTransfer {
 public:
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream) override;
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream) override;
};

/// A kernel copies from or to host memory that is mapped into the device. No copy engine takes
/// part.
class MappedTransfer final : public ArrayTransfer {
 public:
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream) override;
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream) override;
};

/// cudaMemPrefetchAsync moves the pages of managed memory: of the two arrays only the host's,
/// managed as it is, is looked at.
class PrefetchTransfer final : public ArrayTransfer {
 public:
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream) override;
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream) override;
};

}  // namespace copybench
