// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "common/measurement/measurement.hpp"
#include "common/run/remote/case_process.hpp"
#include "common/run/remote/wire.hpp"

namespace copybench {

/// The counter, 1, of every row that was measured in a process of its own.
inline constexpr const char* own_process_counter = "own_process";

/// A measurement that another process performs. Its samples are taken there, on the processor that
/// the calling thread is confined to here; that thread sleeps meanwhile, so the CPU time of a row
/// is not that of the operation. Throws what is thrown there, as text. One at a time for a process.
class RemoteMeasurement final : public Measurement {
 public:
  explicit RemoteMeasurement(std::shared_ptr<CaseProcess> process);

  [[nodiscard]] std::span<const std::string_view> figures() const override { return figures_; }
  [[nodiscard]] std::size_t tracked() const override { return shape_.tracked; }
  void prepare(std::uint64_t seed) override;
  void sample(std::span<Nanoseconds> durations) override;
  void verify() override;
  [[nodiscard]] Findings conclude(std::span<const Summary> summaries) const override;
  [[nodiscard]] std::size_t least_samples() const override { return shape_.least_samples; }
  [[nodiscard]] std::size_t most_samples() const override { return shape_.most_samples; }

 private:
  void make();
  /// False when the process is used up.
  [[nodiscard]] bool try_prepare(std::uint64_t seed);

  std::shared_ptr<CaseProcess> process_;
  Shape shape_;
  std::vector<std::string_view> figures_;
};

}  // namespace copybench
