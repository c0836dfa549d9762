// SPDX-License-Identifier: Apache-2.0
#include "common/run/verify_policy.hpp"

#include <utility>

#include "common/measurement/pattern.hpp"

namespace copybench {
namespace {

// Makes each sample a batch of its own.
class VerifyEachSample final : public Measurement {
 public:
  explicit VerifyEachSample(std::unique_ptr<Measurement> measurement)
      : measurement_(std::move(measurement)) {}

  std::span<const std::string_view> figures() const override { return measurement_->figures(); }
  std::size_t tracked() const override { return measurement_->tracked(); }
  std::size_t least_samples() const override { return measurement_->least_samples(); }
  std::size_t most_samples() const override { return measurement_->most_samples(); }

  void prepare(std::uint64_t seed) override { next_seed_ = seed; }

  void sample(std::span<Nanoseconds> durations) override {
    measurement_->prepare(std::exchange(next_seed_, batch_seed(next_seed_)));
    measurement_->sample(durations);
    measurement_->verify();
  }

  void verify() override {}

  Findings conclude(std::span<const Summary> summaries) const override {
    return measurement_->conclude(summaries);
  }

 private:
  std::unique_ptr<Measurement> measurement_;
  std::uint64_t next_seed_ = 0;
};

}  // namespace

std::unique_ptr<Measurement> enforce(VerifyPolicy policy,
                                     std::unique_ptr<Measurement> measurement) {
  if (policy == VerifyPolicy::batch) {
    return measurement;
  }
  return std::make_unique<VerifyEachSample>(std::move(measurement));
}

}  // namespace copybench
