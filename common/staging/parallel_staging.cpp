// SPDX-License-Identifier: Apache-2.0
#include "common/staging/parallel_staging.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "common/affinity.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"

namespace copybench {
namespace {

constexpr std::size_t page = 4096;
// Less is not worth waking a thread for.
constexpr std::size_t least_part = std::size_t{64} << 10U;

void check_settings(const ParallelStagingSettings& settings) {
  const auto require = [](std::size_t value, const char* name) {
    if (value == 0) {
      throw std::invalid_argument(std::string(name) + ": expected at least 1");
    }
  };
  require(settings.threads, "threads");
  require(settings.chunk_bytes, "chunk_bytes");
  require(settings.chunks_per_thread, "chunks_per_thread");
  require(settings.streams, "streams");
}

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::size_t ring_bytes(const ParallelStagingSettings& settings) {
  check_settings(settings);
  return settings.threads * settings.chunks_per_thread * round_up(settings.chunk_bytes, page);
}

// A job in the form that ThreadCrew starts its threads with.
std::function<void()> on_device(int device, const std::vector<int>& cpus) {
  return [device, cpus] {
    if (!cpus.empty()) {
      (void)run_on(cpus);
    }
    // A new thread begins on device 0, whatever the caller's is.
    check(cudaSetDevice(device), "cudaSetDevice");
  };
}

}  // namespace

ParallelStaging::ParallelStaging(const ParallelStagingSettings& settings)
    : ring_(MemoryKind::pinned, ring_bytes(settings)),
      lanes_(settings.threads),
      chunk_bytes_(settings.chunk_bytes),
      // Captures so little that copying it allocates nothing.
      job_([this](std::size_t thread) { work_as(thread); }),
      crew_(settings.threads, on_device(current_device(), settings.cpus)) {
  std::byte* memory = ring_.data();
  for (Lane& lane : lanes_) {
    for (std::size_t i = 0; i < settings.chunks_per_thread; ++i) {
      lane.chunks.push_back({.memory = memory, .part = {}, .copied = Event()});
      memory += round_up(settings.chunk_bytes, page);
    }
  }
  for (std::size_t i = 0; settings.streams > 1 && i < settings.streams; ++i) {
    own_streams_.emplace_back(StreamKind::nonblocking);
    ended_.emplace_back();
  }
}

// Errors have nobody left to tell them to.
ParallelStaging::~ParallelStaging() {
  for (const Lane& lane : lanes_) {
    for (const Chunk& chunk : lane.chunks) {
      (void)cudaEventSynchronize(chunk.copied.get());
    }
  }
}

void ParallelStaging::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                                StreamView stream) {
  move({destination, source, bytes, 0, &ParallelStaging::send}, stream);
}

void ParallelStaging::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                              StreamView stream) {
  move({destination, source, bytes, 0, &ParallelStaging::receive}, stream);
}

void ParallelStaging::move(const Transfer& transfer, StreamView stream) {
  transfer_ = transfer;
  // A small array is shared out, too.
  transfer_.part_bytes =
      std::min(chunk_bytes_, std::max(least_part, round_up(transfer.bytes / lanes_.size(), page)));
  callers_stream_ = stream.get();
  taken_ = 0;
  if (!own_streams_.empty()) {
    before_.record(stream);
    std::ranges::for_each(own_streams_, [&](const Stream& own) { wait(own, before_); });
  }
  const std::size_t parts = (transfer.bytes + transfer_.part_bytes - 1) / transfer_.part_bytes;
  crew_.run(std::clamp<std::size_t>(parts, 1, lanes_.size()), job_);
  for (std::size_t i = 0; i < own_streams_.size(); ++i) {
    ended_[i].record(own_streams_[i]);
    wait(stream, ended_[i]);
  }
}

void ParallelStaging::work_as(std::size_t thread) {
  const StreamView stream = own_streams_.empty()
                                ? StreamView(callers_stream_)
                                : own_streams_[thread % own_streams_.size()].view();
  try {
    (this->*transfer_.work)(lanes_[thread], stream);
  } catch (...) {
    // Nor need the others go on.
    taken_ = transfer_.bytes;
    throw;
  }
}

bool ParallelStaging::take(Part& part) noexcept {
  part.offset = taken_.fetch_add(transfer_.part_bytes);
  if (part.offset >= transfer_.bytes) {
    return false;
  }
  part.bytes = std::min(transfer_.part_bytes, transfer_.bytes - part.offset);
  return true;
}

void ParallelStaging::send(Lane& lane, StreamView stream) {
  for (Part part{}; take(part);) {
    Chunk& chunk = lane.chunks[lane.next];
    lane.next = (lane.next + 1) % lane.chunks.size();
    chunk.copied.sync();
    std::memcpy(chunk.memory, transfer_.source + part.offset, part.bytes);
    copy_async(transfer_.destination + part.offset, chunk.memory, part.bytes, Direction::h2d,
               stream);
    chunk.copied.record(stream);
  }
}

void ParallelStaging::receive(Lane& lane, StreamView stream) {
  std::size_t asked = 0;
  std::size_t received = 0;
  Part part{};
  bool is_more = take(part);
  while (is_more || received < asked) {
    // As many as there are chunks are on the link, or on the way to it, while one is emptied.
    while (is_more && asked - received < lane.chunks.size()) {
      Chunk& chunk = lane.chunks[asked++ % lane.chunks.size()];
      chunk.part = part;
      // It may still be on its way to the device, in another stream.
      wait(stream, chunk.copied);
      copy_async(chunk.memory, transfer_.source + part.offset, part.bytes, Direction::d2h, stream);
      chunk.copied.record(stream);
      is_more = take(part);
    }
    const Chunk& chunk = lane.chunks[received++ % lane.chunks.size()];
    chunk.copied.sync();
    std::memcpy(transfer_.destination + chunk.part.offset, chunk.memory, chunk.part.bytes);
  }
}

}  // namespace copybench
