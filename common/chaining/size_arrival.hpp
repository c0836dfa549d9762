// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "common/chaining/chain.hpp"
#include "common/cuda/buffer.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// How the host learns, by asking, that the size of a request has arrived.
class SizeArrival {
 public:
  SizeArrival() = default;
  virtual ~SizeArrival() = default;
  SizeArrival(const SizeArrival&) = delete;
  SizeArrival& operator=(const SizeArrival&) = delete;
  SizeArrival(SizeArrival&&) = delete;
  SizeArrival& operator=(SizeArrival&&) = delete;

  /// Sends the size on its way. Only when the last one has arrived, or never will.
  virtual void enqueue(const ChainRequest& request, StreamView stream) = 0;
  /// Whether it is there. Never blocks; several threads may ask at once, and while another request
  /// is enqueued, of which the answer may be then. May throw CudaError for work that has failed, or
  /// go on saying no.
  [[nodiscard]] virtual bool has_arrived() const = 0;
  /// Puts it into request.host_size, unless it is there already. One thread, once it has arrived.
  virtual void deliver(const ChainRequest& request) const = 0;
};

/// A copy, and an event behind it that is asked for.
class EventArrival final : public SizeArrival {
 public:
  void enqueue(const ChainRequest& request, StreamView stream) override;
  [[nodiscard]] bool has_arrived() const override { return copied_.is_done(); }
  void deliver(const ChainRequest& /*request*/) const override {}

 private:
  Event copied_;
};

/// A copy, and a stream memory operation behind it that writes the number of the request to mapped
/// host memory: the driver has not to be asked. The destructor expects it to be over.
class WrittenArrival final : public SizeArrival {
 public:
  WrittenArrival();
  void enqueue(const ChainRequest& request, StreamView stream) override;
  [[nodiscard]] bool has_arrived() const override;
  void deliver(const ChainRequest& /*request*/) const override {}

 private:
  Buffer word_;
  /// Of the request that is in flight, or was last. The first is 1: the word begins as 0.
  std::atomic<std::uint32_t> number_ = 0;
};

/// A kernel that writes the size to mapped host memory: nothing is asked of the driver, and no copy
/// engine takes part. It needs room on a multiprocessor, though, and waits for it behind kernels
/// that fill the device.
///
/// Size and number of the request are one word, which the device stores and the host loads whole:
/// there is no order between two words to be kept. The store is a release for the whole system and
/// the load an acquire, so that what the device wrote before is seen as well. The destructor
/// expects the kernel to be over.
class MappedArrival final : public SizeArrival {
 public:
  MappedArrival();
  void enqueue(const ChainRequest& request, StreamView stream) override;
  [[nodiscard]] bool has_arrived() const override;
  void deliver(const ChainRequest& request) const override;

 private:
  [[nodiscard]] std::uint64_t load() const;

  Buffer word_;
  /// Of the request that is in flight, or was last. The first is 1: the word begins as 0.
  std::atomic<std::uint32_t> number_ = 0;
};

}  // namespace copybench
