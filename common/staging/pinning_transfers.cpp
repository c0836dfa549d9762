// SPDX-License-Identifier: Apache-2.0
#include "common/staging/pinning_transfers.hpp"

#include <cstring>
#include <utility>

#include "common/cuda/buffer.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"

namespace copybench {
namespace {

// Pins somebody else's memory for as long as it lives.
class Registration {
 public:
  Registration(const std::byte* memory, std::size_t bytes)
      : memory_(const_cast<std::byte*>(memory)) {  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    check(cudaHostRegister(memory_, bytes, cudaHostRegisterDefault), "cudaHostRegister");
  }
  ~Registration() {
    if (memory_ != nullptr) {
      (void)cudaHostUnregister(memory_);
    }
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  Registration(Registration&&) = delete;
  Registration& operator=(Registration&&) = delete;

  void end() { check(cudaHostUnregister(std::exchange(memory_, nullptr)), "cudaHostUnregister"); }

 private:
  std::byte* memory_;
};

}  // namespace

void PinCopyTransfer::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                                StreamView stream) {
  const Buffer pinned(MemoryKind::pinned, bytes);
  std::memcpy(pinned.data(), source, bytes);
  copy_async(destination, pinned.data(), bytes, Direction::h2d, stream);
  stream.sync();
}

void PinCopyTransfer::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                              StreamView stream) {
  const Buffer pinned(MemoryKind::pinned, bytes);
  copy_async(pinned.data(), source, bytes, Direction::d2h, stream);
  stream.sync();
  std::memcpy(destination, pinned.data(), bytes);
}

void RegisterTransfer::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                                 StreamView stream) {
  Registration registration(source, bytes);
  copy_async(destination, source, bytes, Direction::h2d, stream);
  stream.sync();
  registration.end();
}

void RegisterTransfer::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                               StreamView stream) {
  Registration registration(destination, bytes);
  copy_async(destination, source, bytes, Direction::d2h, stream);
  stream.sync();
  registration.end();
}

}  // namespace copybench
