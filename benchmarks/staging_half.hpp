// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "common/cuda/copy.hpp"
#include "common/measurement/measurement.hpp"
#include "common/staging/store.hpp"
#include "common/staging/thread_crew.hpp"
#include "common/suite/fixtures.hpp"

namespace copybench {

/// What parallel staging is made of, each without the other: the link copying chunks that are full
/// already, threads copying between the array and a ring that the link leaves alone, the first
/// beside the second, and the link copying from where threads have just written, or to where they
/// have just read.
enum class Half { link, host, link_beside_host, link_after_host };
inline constexpr std::array<std::string_view, 4> half_names{"link", "host", "link_beside_host",
                                                            "link_after_host"};

struct StagingHalfSetup {
  Half half;
  Direction direction;
  /// Of the threads. Means nothing to the link alone.
  Store store;
  /// Those that copy on the host. Beside the link, one more drives that.
  std::size_t threads;
  std::size_t chunk_bytes;
  std::size_t streams;
  std::size_t bytes;
};

/// The time of a half, and that of the bound: one copy of as many bytes from or to pinned memory.
class StagingHalf final : public Measurement {
 public:
  /// As large as the ring of ParallelStaging, and what one of its threads copies at a time.
  static constexpr std::size_t ring_bytes = std::size_t{32} << 20U;
  static constexpr std::size_t piece_bytes = std::size_t{256} << 10U;

  /// At most one thread for each piece of the ring, and two streams; of Half::link_after_host at
  /// most the ring's bytes. Throws CudaError, and std::system_error where there is no thread.
  StagingHalf(const StagingHalfSetup& setup, Fixtures& fixtures);

  std::span<const std::string_view> figures() const override;
  std::size_t tracked() const override;
  void prepare(std::uint64_t seed) override;
  void sample(std::span<Nanoseconds> durations) override;
  void verify() override;
  Findings conclude(std::span<const Summary> summaries) const override;

 private:
  [[nodiscard]] std::size_t pieces() const;
  [[nodiscard]] std::size_t lane_bytes() const;
  [[nodiscard]] std::byte* bound_memory() const;
  void copy_on_link(std::byte* host, std::size_t offset, std::size_t bytes,
                    StreamView stream) const;
  void copy_chunks() const;
  void copy_each_once();
  void copy_until_the_end();
  void copy_piece(std::size_t piece, std::size_t lane, std::size_t place);

  StagingHalfSetup setup_;
  Region array_;
  Region chunks_;
  Region ring_;
  Region device_;
  std::array<StreamView, 2> streams_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
  // How many pieces are taken, and by how many threads.
  std::atomic<std::size_t> taken_{0};
  std::atomic<std::size_t> lanes_{0};
  std::atomic<bool> is_over_{false};
  // Of each thread, how much of its part of the ring it has used.
  std::vector<std::size_t> used_bytes_;
  std::function<void()> copy_each_once_;
  std::function<void()> copy_until_the_end_;
  std::function<void()> copy_chunks_and_end_;
  // Last: its threads use the rest.
  ThreadCrew crew_;
};

}  // namespace copybench
