// SPDX-License-Identifier: Apache-2.0
#include "common/staging/parallel_staging.hpp"

#include "common/affinity.hpp"

namespace copybench {
namespace {

// For each of so many bytes a thread is woken.
constexpr std::size_t worth_a_helper = std::size_t{512} << 10U;

std::function<void()> on_cpus(const std::vector<int>& cpus) {
  return [cpus] {
    if (!cpus.empty()) {
      (void)run_on(cpus);
    }
  };
}

}  // namespace

ParallelStaging::ParallelStaging(const ParallelStagingSettings& settings)
    : ParallelStaging(settings, plan_for(settings)) {}

ParallelStaging::ParallelStaging(const ParallelStagingSettings& settings, const ChunkPlan& plan)
    : ring_(plan.total_bytes, most_chunks_of(plan)),
      pieces_(ring_.most_chunks(), settings.piece_bytes),
      sender_(plan, ring_, pieces_, settings.threads),
      fetcher_(plan, ring_, pieces_),
      send_{[this] { sender_.lead(); }, [this] { sender_.help(); }},
      fetch_{[this] { fetcher_.lead(); }, [this] { fetcher_.help(); }},
      crew_(settings.threads, on_cpus(settings.cpus)) {}

ParallelStaging::~ParallelStaging() { settle(); }

void ParallelStaging::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                                StreamView stream) {
  move({destination, source, bytes, stream}, sender_, send_);
}

void ParallelStaging::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                              StreamView stream) {
  move({destination, source, bytes, stream}, fetcher_, fetch_);
}

void ParallelStaging::move(const StagedArray& array, RingTransfer& way, const Roles& roles) {
  // With nothing to follow them, copies in flight are nobody's to wait for.
  if (array.bytes == 0) {
    return;
  }
  way.set_array(array);
  try {
    if (crew_.size() == 1 || !way.is_worth_leading()) {
      way.move_alone();
    } else {
      pieces_.open();
      crew_.run(array.bytes / worth_a_helper, roles.lead, roles.help);
    }
  } catch (...) {
    // A copy that was enqueued may have no event.
    (void)cudaStreamSynchronize(array.stream.get());
    settle();
    throw;
  }
}

// Waits for what is on the link. Errors have nobody left to tell them to.
void ParallelStaging::settle() noexcept {
  for (std::size_t number = ring_.begin(); number < ring_.end(); ++number) {
    (void)cudaEventSynchronize(ring_[number].copied.get());
  }
  ring_.clear();
}

}  // namespace copybench
