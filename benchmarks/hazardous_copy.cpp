// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/hazardous_copy.hpp"

#include <limits>

#include "common/kernels.hpp"
#include "common/measurement/pattern.hpp"

namespace copybench {

HazardousCopy::HazardousCopy(const HazardCase& hazard_case, Fixtures& fixtures)
    : case_(hazard_case),
      source_(fixtures.region(hazard_case.source(), Role::source, hazard_case.bytes)),
      destination_(
          fixtures.region(hazard_case.destination(), Role::destination, hazard_case.bytes)),
      stream_(fixtures.stream(hazard_case.stream())),
      other_stream_(fixtures.other_stream(StreamKind::nonblocking)),
      copy_(hazard_case.api, destination_.data, source_.data, hazard_case.bytes,
            hazard_case.direction(), stream_),
      verifier_(fixtures.verifier()) {}

void HazardousCopy::prepare(std::uint64_t seed) {
  seed_ = seed;
  verifier_.fill(source_, seed);
  verifier_.poison(destination_);
}

void HazardousCopy::set_up() {
  if (case_.hazard == Hazard::overwrite_source) {
    verifier_.fill(source_, seed_);
    verifier_.spoil(destination_);
  } else {
    verifier_.fill(destination_, other_seed(seed_));
  }
}

void HazardousCopy::be_too_early() {
  switch (case_.hazard) {
    case Hazard::overwrite_source:
      verifier_.fill(source_, other_seed(seed_));
      return;
    case Hazard::read_destination:
      arrived_ = case_.bytes - compare_pattern({destination_.data, case_.bytes}, seed_).count;
      return;
    case Hazard::other_stream_after_sync:
      stream_.sync();
      [[fallthrough]];
    case Hazard::other_stream:
      arrived_ = count_on_device(seed_);
      return;
  }
}

Seen HazardousCopy::judge(bool returned_after_opening) {
  if (case_.hazard == Hazard::overwrite_source) {
    return judge_overwrite(case_.bytes, count_on_device(seed_), count_on_device(other_seed(seed_)),
                           returned_after_opening);
  }
  require_arrival();
  return case_.hazard == Hazard::read_destination
             ? judge_read(case_.bytes, arrived_, returned_after_opening)
             : judge_other_stream(case_.bytes, arrived_);
}

// Bytes of the destination that hold the pattern, as a kernel in the other stream sees them.
std::size_t HazardousCopy::count_on_device(std::uint64_t seed) {
  auto* const mismatch = reinterpret_cast<Mismatch*>(mismatch_.data());
  *mismatch = {0, std::numeric_limits<std::uint64_t>::max()};
  launch_compare_pattern(other_stream_, destination_.data, case_.bytes, seed,
                         reinterpret_cast<Mismatch*>(mismatch_.device_address()));
  other_stream_.sync();
  return case_.bytes - mismatch->count;
}

}  // namespace copybench
