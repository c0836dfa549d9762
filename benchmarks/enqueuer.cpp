// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/enqueuer.hpp"

#include "common/cuda/event.hpp"
#include "common/measurement/quiet_cpu.hpp"

namespace copybench {

Enqueuer::Enqueuer(EnqueuedApi api, const Region& source, const Region& destination)
    : source_(source),
      destination_(destination),
      copy_(copy_api(api), destination.data, source.data, source.bytes, Direction::h2d, stream_),
      copies_(api != EnqueuedApi::event_create),
      durations_(calls) {}

void Enqueuer::prepare(Verifier& verifier, std::uint64_t seed) {
  verifier.fill(source_, seed);
  verifier.poison(destination_);
}

void Enqueuer::verify(Verifier& verifier, std::uint64_t seed) {
  if (copies_) {
    verifier.verify(destination_, seed);
  }
}

void Enqueuer::start(std::atomic<std::size_t>& arrived, std::size_t expected) {
  thread_.start([this, &arrived, expected] {
    use_all_cpus();
    ++arrived;
    while (arrived < expected) {
    }
    begin_ = now();
    enqueue();
    end_ = now();
  });
}

void Enqueuer::enqueue() {
  for (Nanoseconds& duration : durations_) {
    const TimePoint begin = now();
    if (copies_) {
      copy_();
    } else {
      Event event;
      event.record(stream_);
    }
    // Of an event the destruction is a part.
    duration = now() - begin;
  }
}

}  // namespace copybench
