// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include "simulator/staging.hpp"
#include "simulator/stream.hpp"

namespace copybench::simulator {

/// One simulated GPU: its streams, and what they share.
class Device {
 public:
  explicit Device(int ordinal);

  // Streams of the runtime's API. The pointers are what cudaStream_t hides.
  [[nodiscard]] Stream* create_stream(unsigned flags);
  /// Returns at once; what is in the stream still runs.
  void destroy_stream(Stream* stream);
  [[nodiscard]] bool owns(const Stream* stream) const;
  [[nodiscard]] Stream& legacy() { return *legacy_; }
  [[nodiscard]] Stream& per_thread();

  /// Enqueues behind all that CUDA orders before it; blocks while the stream is full.
  Ticket submit(Stream& stream, Operation operation);
  /// What a synchronise of the stream waits for: of the legacy stream, the blocking ones too.
  [[nodiscard]] std::vector<Ticket> pending(const Stream& stream) const;
  /// The same for all streams.
  [[nodiscard]] std::vector<Ticket> pending() const;

  [[nodiscard]] StagingPool& staging() { return staging_; }
  /// The copy engines: one copy at a time in each direction.
  [[nodiscard]] std::mutex& link(cudaMemcpyKind kind);

 private:
  // These need the mutex of Progress.
  [[nodiscard]] std::vector<Ticket> ordered_before(const Stream& stream) const;
  [[nodiscard]] std::vector<const Stream*> all_streams() const;
  /// Those of the destroyed streams that are through; to be let go without the mutex.
  [[nodiscard]] std::vector<std::unique_ptr<Stream>> take_finished();

  int ordinal_;
  StagingPool staging_;
  std::mutex to_device_;
  std::mutex to_host_;
  std::mutex inside_;
  // The threads of the streams use what stands above.
  std::unique_ptr<Stream> legacy_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::map<std::thread::id, std::unique_ptr<Stream>> per_thread_;
  // Destroyed while they had work left.
  std::vector<std::unique_ptr<Stream>> retired_;
};

}  // namespace copybench::simulator
