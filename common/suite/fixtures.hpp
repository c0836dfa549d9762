// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "common/cuda/buffer.hpp"
#include "common/cuda/peer_memory.hpp"
#include "common/cuda/stream.hpp"
#include "common/measurement/gate.hpp"
#include "common/measurement/verification.hpp"
#include "common/staging/array_transfer.hpp"

namespace copybench {

/// The processors for threads that help the measuring one, which is confined to one processor
/// itself: those near the device, or all where none are known. Throws CudaError.
[[nodiscard]] std::vector<int> helping_cpus();

/// Which of a case's buffers of one kind: a host-to-host copy needs two of them.
enum class Role { source, destination };

/// Memory, streams and gate of the process, made once and lent to one case after the other: pinning
/// 1 GiB takes tens of milliseconds, and Google Benchmark enters a case again for every repetition.
/// A case gets the beginning of the largest buffer asked for so far, so one buffer per kind and
/// role serves all sizes. Not thread-safe.
class Fixtures {
 public:
  /// `bytes` bytes and the canaries behind them. The pointer lasts until a larger region of the
  /// same kind and role is asked for, which is never within one case.
  [[nodiscard]] Region region(MemoryKind kind, Role role, std::size_t bytes);
  /// The same on another device. Asks for one.
  [[nodiscard]] Region peer_region(std::size_t bytes);
  /// Whether the current device reaches that region by itself. False where none was asked for.
  [[nodiscard]] bool reaches_peer_directly() const {
    return peer_ != nullptr && peer_->is_reached_directly();
  }
  [[nodiscard]] StreamView stream(StreamKind kind);
  /// A second stream of the same kind, where a case needs two.
  [[nodiscard]] StreamView other_stream(StreamKind kind);
  [[nodiscard]] Gate& gate() { return gate_; }
  [[nodiscard]] Verifier& verifier() { return verifier_; }
  /// The strategy with its own memory and threads, which others than the measuring one are.
  [[nodiscard]] ArrayTransfer& transfer(ArrayStrategy strategy);
  /// Parallel staging with these settings, the processors aside. Lasts until others are asked for.
  [[nodiscard]] ParallelStaging& parallel_staging(ParallelStagingSettings settings);

 private:
  std::map<std::pair<MemoryKind, Role>, std::unique_ptr<Buffer>> buffers_;
  std::unique_ptr<PeerMemory> peer_;
  std::map<std::pair<StreamKind, bool>, Stream> streams_;
  Gate gate_;
  Verifier verifier_;
  std::map<ArrayStrategy, std::unique_ptr<ArrayTransfer>> transfers_;
  ParallelStagingSettings parallel_settings_;
  std::unique_ptr<ParallelStaging> parallel_;
};

}  // namespace copybench
