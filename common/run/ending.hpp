// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <string>

#include "common/run/journal.hpp"
#include "common/run/output_file.hpp"
#include "common/run/progress.hpp"

namespace copybench {

/// Where the rows go.
struct Destinations {
  /// Null without --benchmark_out.
  const OutputFile* file = nullptr;
  bool file_is_json = true;
  /// --benchmark_format=json
  bool standard_output_is_json = false;
};

/// The one end of the process. The thread that runs the cases and the supervisor may both want to
/// end it, at the same moment; whoever comes first does.
class Ending {
 public:
  Ending(const Journal& journal, Progress& progress, const sigset_t& signals,
         const Destinations& destinations)
      : journal_(journal), progress_(progress), signals_(signals), destinations_(destinations) {}

  /// True for the first caller alone, which then has to end the process.
  [[nodiscard]] bool claim() noexcept { return !claimed_.exchange(true); }

  /// Says that what is written from here on may wait for a reader, so that a signal ends the wait:
  /// the file of --benchmark_out is whole by now, or it is a pipe itself.
  void allow_interruption() noexcept { is_interruptible_ = true; }
  [[nodiscard]] bool is_interruptible() const noexcept { return is_interruptible_; }

  /// After a claim: says `reason` on standard error, writes the finished rows, and ends the process
  /// with `status`. Does not unwind and runs no destructors: another thread may be stuck in a CUDA
  /// call.
  [[noreturn]] void end_early(const std::string& reason, int status);

  /// For the thread that runs the cases, when somebody else has the claim: waits for the process to
  /// be gone.
  [[noreturn]] static void wait_for_end();

 private:
  void write_rows(const std::string& document);
  void let_signals_end_it();

  const Journal& journal_;
  Progress& progress_;
  sigset_t signals_;
  Destinations destinations_;
  std::atomic<bool> claimed_{false};
  std::atomic<bool> is_interruptible_{false};
};

}  // namespace copybench
