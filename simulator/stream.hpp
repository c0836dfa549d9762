// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include "simulator/progress.hpp"

namespace copybench::simulator {

/// One entry of a stream.
struct Operation {
  /// Does the work, on the stream's thread. An error loses the context.
  std::function<cudaError_t()> run = [] { return cudaSuccess; };
  /// Is called in place of run once the context is lost.
  std::function<void(cudaError_t lost)> abandon = [](cudaError_t) {};
  /// Work in other streams that has to be done before.
  std::vector<Ticket> after{};
  /// Takes one of the places in the queue that there are a limited number of.
  bool takes_a_place = false;
  /// The number of the call that enqueued it, for whoever records; set by the stream.
  std::uint64_t call = 0;
};

/// A thread that performs operations in the order in which they came.
class Stream {
 public:
  Stream(int device, unsigned flags);
  /// Waits for the operations that it still holds.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  Stream(Stream&&) = delete;
  Stream& operator=(Stream&&) = delete;

  [[nodiscard]] int device() const noexcept { return device_; }
  [[nodiscard]] unsigned flags() const noexcept { return flags_; }

  // All of these need the mutex of Progress.
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] bool is_idle() const { return queue_.empty(); }
  /// Of the youngest operation.
  [[nodiscard]] const Ticket& tail() const noexcept { return tail_; }
  Ticket push(Operation operation);
  /// No more operations will come. The thread ends when it has performed those that it holds.
  void close();

 private:
  struct Entry {
    Operation operation;
    Ticket ticket;
  };
  void serve();

  int device_;
  unsigned flags_;
  // For whoever records: streams count from 1.
  std::uint64_t number_;
  std::size_t places_taken_ = 0;
  // The front one is being performed.
  std::deque<Entry> queue_;
  Ticket tail_;
  bool closed_ = false;
  std::thread thread_;
};

/// Sleeps until `end`; late by a few microseconds, not by the fifty that the system allows itself.
void sleep_until(TimePoint end);

}  // namespace copybench::simulator
