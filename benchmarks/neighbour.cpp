// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/neighbour.hpp"

#include <chrono>

#include "common/cuda/copy.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""us;

// From the moment a thread is about to enter its copy until it sits in the driver for certain.
constexpr Nanoseconds settling = 300us;

// Staging 32 MiB takes about 4 ms, ten times what any call lasts by itself.
std::size_t copied_bytes(Beside beside) {
  return beside == Beside::staging_copy ? std::size_t{32} << 20U : std::size_t{1} << 20U;
}
Direction direction_of(Beside beside) {
  return beside == Beside::staging_copy ? Direction::h2d : Direction::d2h;
}
MemoryKind source_of(Beside beside) {
  return direction_of(beside) == Direction::h2d ? MemoryKind::pageable : MemoryKind::device;
}
MemoryKind destination_of(Beside beside) {
  return direction_of(beside) == Direction::h2d ? MemoryKind::device : MemoryKind::pageable;
}

}  // namespace

Neighbour::Neighbour(Beside beside, Fixtures& fixtures)
    : beside_(beside),
      source_(fixtures.region(source_of(beside), Role::source, copied_bytes(beside))),
      destination_(
          fixtures.region(destination_of(beside), Role::destination, copied_bytes(beside))),
      stream_(fixtures.other_stream(StreamKind::nonblocking)),
      gate_(fixtures.gate()),
      verifier_(fixtures.verifier()) {
  if (has_copy()) {
    helper_ = std::make_unique<HelperThread>();
  }
}

MemoryNeeds Neighbour::memory_needs(Beside beside) {
  return {{source_of(beside), copied_bytes(beside)},
          {destination_of(beside), copied_bytes(beside)}};
}

bool Neighbour::is_gated() const {
  return beside_ == Beside::gate || beside_ == Beside::blocked_copy;
}

bool Neighbour::has_copy() const {
  return beside_ == Beside::blocked_copy || beside_ == Beside::staging_copy;
}

void Neighbour::fill(std::uint64_t seed) {
  seed_ = seed;
  if (has_copy()) {
    verifier_.fill(source_, seed);
    verifier_.poison(destination_);
  }
}

void Neighbour::verify() {
  if (has_copy()) {
    verifier_.verify(destination_, seed_);
  }
}

void Neighbour::begin(Nanoseconds hold) {
  if (is_gated()) {
    gate_.close(stream_);
  }
  if (has_copy()) {
    entered_ = TimePoint{};
    helper_->start([this] { copy(); });
    while (entered_.load() == TimePoint{}) {
    }
    spin_until(now() + settling);
  }
  if (is_gated()) {
    gate_.start_hold(hold);
  }
}

TimePoint Neighbour::open() { return is_gated() ? gate_.open() : TimePoint::max(); }

void Neighbour::end() {
  if (has_copy()) {
    helper_->join_job();
  }
  stream_.sync();
  if (is_gated()) {
    gate_.require_opened_by_host();
  }
}

TimePoint Neighbour::left() const { return has_copy() ? left_ : TimePoint::max(); }

void Neighbour::copy() {
  entered_ = now();
  copy_async(destination_.data, source_.data, source_.bytes, direction_of(beside_), stream_);
  left_ = now();
}

}  // namespace copybench
