// SPDX-License-Identifier: Apache-2.0
#include "common/suite/fixtures.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/cuda/device.hpp"
#include "common/measurement/quiet_cpu.hpp"

namespace copybench {

std::vector<int> helping_cpus() {
  const std::vector<int> all = all_cpus();
  std::vector<int> near;
  std::ranges::copy_if(cpus_near(current_device()), std::back_inserter(near),
                       [&](int cpu) { return std::ranges::find(all, cpu) != all.end(); });
  return near.empty() ? all : near;
}

Region Fixtures::region(MemoryKind kind, Role role, std::size_t bytes) {
  std::unique_ptr<Buffer>& buffer = buffers_[{kind, role}];
  if (buffer == nullptr || buffer->size() < bytes + canary_bytes) {
    buffer.reset();  // the smaller one goes first: both may not fit together
    buffer = std::make_unique<Buffer>(kind, bytes + canary_bytes);
  }
  return {kind, buffer->data(), bytes};
}

Region Fixtures::peer_region(std::size_t bytes) {
  if (peer_ == nullptr || peer_->size() < bytes + canary_bytes) {
    peer_.reset();
    peer_ = std::make_unique<PeerMemory>(bytes + canary_bytes);
  }
  return {MemoryKind::device, peer_->data(), bytes};
}

StreamView Fixtures::stream(StreamKind kind) {
  return streams_.try_emplace({kind, false}, kind).first->second;
}

StreamView Fixtures::other_stream(StreamKind kind) {
  return streams_.try_emplace({kind, true}, kind).first->second;
}

ArrayTransfer& Fixtures::transfer(ArrayStrategy strategy) {
  std::unique_ptr<ArrayTransfer>& transfer = transfers_[strategy];
  if (transfer == nullptr) {
    transfer = make_array_transfer(strategy, {.cpus = helping_cpus()});
  }
  return *transfer;
}

ParallelStaging& Fixtures::parallel_staging(ParallelStagingSettings settings) {
  settings.cpus = helping_cpus();
  if (parallel_ == nullptr || parallel_settings_ != settings) {
    parallel_.reset();  // the old ring goes before the new one comes
    parallel_ = std::make_unique<ParallelStaging>(settings);
    parallel_settings_ = std::move(settings);
  }
  return *parallel_;
}

}  // namespace copybench
