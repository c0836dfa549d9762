// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace copybench {
namespace {

// Rank 1 is the smallest value. The epsilon keeps 99 % of 100 at rank 99 despite binary fractions.
std::size_t nearest_rank(std::size_t count, double percent) {
  const double exact = percent / 100.0 * static_cast<double>(count);
  const auto rank = static_cast<std::size_t>(std::ceil(exact - 1e-9));
  return std::clamp<std::size_t>(rank, 1, count);
}

}  // namespace

Nanoseconds percentile(std::span<const Nanoseconds> sorted, double percent) {
  return sorted[nearest_rank(sorted.size(), percent) - 1];
}

bool supports_percentile(std::size_t samples, double percent) {
  return samples > 0 && nearest_rank(samples, percent) < samples;
}

Summary summarize(std::span<const Nanoseconds> samples) {
  if (samples.empty()) {
    throw std::invalid_argument("no samples to summarize");
  }
  std::vector<Nanoseconds> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  const std::size_t middle = sorted.size() / 2;
  Summary summary;
  summary.samples = sorted.size();
  summary.median = sorted.size() % 2 == 1
                       ? sorted[middle]
                       : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
  if (supports_percentile(sorted.size(), 90)) {
    summary.p90 = percentile(sorted, 90);
  }
  if (supports_percentile(sorted.size(), 99)) {
    summary.p99 = percentile(sorted, 99);
  }
  summary.max = sorted.back();
  return summary;
}

}  // namespace copybench
