// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/chaining/chain.hpp"
#include "common/cuda/buffer.hpp"
#include "common/cuda/event.hpp"
#include "common/measurement/clock.hpp"

namespace copybench {

/// One of several chains that are in flight at once, each with a stream of its own. Its links are
/// arrays that lie one behind the other on the device: where the second begins, only the size of
/// the first tells.
class LinkedChain {
 public:
  /// `source` and `destination` have room for `capacity` elements.
  LinkedChain(ChainStrategy strategy, std::size_t links, const double* source, double* destination,
              std::size_t capacity);

  /// The size of each link, which the producer is going to write, and what is guessed of each.
  /// `sizes` must last until the chain is over; host memory says -1 of each.
  void reset(std::span<const std::int32_t> sizes, std::size_t guess);
  /// Starts the next link, the first one behind `producer_done`. Returns how long that blocked.
  [[nodiscard]] Nanoseconds start(const Event& producer_done,
                                  std::span<const std::int32_t> device_sizes);
  /// Waits for the link that was started last.
  void finish();
  [[nodiscard]] bool is_over() const { return link_ == sizes_.size(); }

  /// How many elements from the first one on have been written, and how many bytes have been moved
  /// for that. Once it is over.
  [[nodiscard]] std::size_t written() const noexcept { return written_; }
  [[nodiscard]] std::size_t moved_bytes() const noexcept { return moved_bytes_; }

 private:
  [[nodiscard]] std::size_t expected() const;

  ChainStrategy strategy_;
  const double* source_;
  double* destination_;
  std::size_t capacity_;
  Stream stream_{StreamKind::nonblocking};
  Buffer host_sizes_;
  std::span<const std::int32_t> sizes_;
  std::size_t guess_ = 0;
  std::size_t link_ = 0;
  std::size_t offset_ = 0;
  std::size_t written_ = 0;
  std::size_t moved_bytes_ = 0;
  std::unique_ptr<Chain> chain_;
};

}  // namespace copybench
