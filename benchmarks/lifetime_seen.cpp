// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/lifetime_seen.hpp"

#include <algorithm>

#include "common/measurement/verification.hpp"
#include "common/named_enum.hpp"

namespace copybench {
namespace {

constexpr std::size_t piece = sizeof(std::uint64_t);

}  // namespace

Seen judge_overwrite(std::size_t bytes, std::size_t old_bytes, std::size_t new_bytes,
                     bool returned_after_opening) {
  if (old_bytes + new_bytes != bytes) {
    throw VerificationError("copied data: " + std::to_string(bytes - old_bytes - new_bytes) +
                            " wrong bytes, which the source has never held");
  }
  if (new_bytes == 0) {
    return returned_after_opening ? Seen::waited : Seen::captured;
  }
  if (old_bytes == 0) {
    return Seen::reads_later;
  }
  // Nothing moves less than a word at a time but the end, so fewer bytes are wrong ones that happen
  // to look right.
  if (old_bytes % piece != 0 && new_bytes % piece != 0) {
    throw VerificationError("copied data: wrong bytes, old and new ones within a word");
  }
  return Seen::torn;
}

Seen judge_read(std::size_t bytes, std::size_t arrived, bool returned_after_opening) {
  if (arrived == 0) {
    return Seen::stale;
  }
  if (!returned_after_opening) {
    throw VerificationError(std::to_string(arrived) +
                            " bytes had arrived before the gate in front of the copy opened");
  }
  return arrived == bytes ? Seen::waited : Seen::torn;
}

Seen judge_other_stream(std::size_t bytes, std::size_t arrived) {
  if (arrived == 0) {
    return Seen::stale;
  }
  return arrived == bytes ? Seen::complete : Seen::torn;
}

double SeenTally::fraction(Seen seen) const {
  return static_cast<double>(counts_.at(static_cast<std::size_t>(seen))) /
         static_cast<double>(samples_);
}

std::string SeenTally::describe() const {
  const auto* const all = std::ranges::find(counts_, samples_);
  return all == counts_.end()
             ? "mixed"
             : std::string(seen_names.at(static_cast<std::size_t>(all - counts_.begin())));
}

}  // namespace copybench
