// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/lifetime_promises.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/named_enum.hpp"

namespace copybench {
namespace {

using Outcome = LifetimePromise::Outcome;

constexpr std::array<std::string_view, 3> outcome_names{"nothing", "captured", "complete"};

/// Kinds of memory that the documentation tells apart.
enum class Class { pageable, page_locked, managed };

Class class_of(MemoryKind memory) {
  switch (memory) {
    case MemoryKind::pageable:
    case MemoryKind::pageable_thp:
    case MemoryKind::pageable_file:
    case MemoryKind::pageable_stack:
      return Class::pageable;
    case MemoryKind::managed:
      return Class::managed;
    default:
      return Class::page_locked;
  }
}

struct Entry {
  Hazard hazard;
  CopyApi api;
  Class memory;
  LifetimePromise promise;
};

constexpr LifetimePromise nothing(int row) { return {Outcome::nothing, row}; }
constexpr LifetimePromise captured(int row) { return {Outcome::captured, row}; }
constexpr LifetimePromise complete(int row) { return {Outcome::complete, row}; }

// An H200 (CUDA 13.0) reads 1 MiB and more of the heap or the stack after the call. Of 64 KiB and
// less it does not, and of other memory nobody has seen it.
bool is_broken_by_h200(Hazard hazard, CopyApi api, MemoryKind memory, std::size_t bytes) {
  constexpr std::size_t fewest_bytes = std::size_t{1} << 20U;
  return hazard == Hazard::overwrite_source && api == CopyApi::memcpy_batch_during_call &&
         (memory == MemoryKind::pageable || memory == MemoryKind::pageable_stack) &&
         bytes >= fewest_bytes;
}

constexpr std::array entries{
    Entry{Hazard::overwrite_source, CopyApi::memcpy_async, Class::pageable, nothing(2)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy_async, Class::page_locked, nothing(1)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy_async, Class::managed, nothing(14)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy, Class::pageable, captured(7)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy, Class::page_locked, captured(8)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy, Class::managed, nothing(14)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy_batch_stream, Class::pageable, nothing(19)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy_batch_stream, Class::page_locked, nothing(19)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy_batch_during_call, Class::pageable,
          captured(20)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy_batch_during_call, Class::page_locked,
          captured(20)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy_batch_any, Class::pageable, nothing(21)},
    Entry{Hazard::overwrite_source, CopyApi::memcpy_batch_any, Class::page_locked, nothing(21)},
    Entry{Hazard::overwrite_source, CopyApi::graph_launch, Class::pageable, nothing(0)},
    Entry{Hazard::overwrite_source, CopyApi::graph_launch, Class::page_locked, nothing(0)},
    Entry{Hazard::read_destination, CopyApi::memcpy_async, Class::pageable, nothing(15)},
    Entry{Hazard::read_destination, CopyApi::memcpy_async, Class::page_locked, nothing(1)},
    Entry{Hazard::read_destination, CopyApi::memcpy, Class::pageable, complete(9)},
    Entry{Hazard::read_destination, CopyApi::memcpy, Class::page_locked, complete(9)},
    Entry{Hazard::read_destination, CopyApi::memcpy_batch_stream, Class::pageable, nothing(18)},
    Entry{Hazard::read_destination, CopyApi::memcpy_batch_stream, Class::page_locked, nothing(18)},
    Entry{Hazard::read_destination, CopyApi::graph_launch, Class::pageable, nothing(0)},
    Entry{Hazard::read_destination, CopyApi::graph_launch, Class::page_locked, nothing(0)},
    Entry{Hazard::other_stream, CopyApi::memcpy, Class::pageable, nothing(7)},
    Entry{Hazard::other_stream, CopyApi::memcpy, Class::page_locked, complete(8)},
    Entry{Hazard::other_stream_after_sync, CopyApi::memcpy, Class::pageable, complete(0)},
    Entry{Hazard::other_stream_after_sync, CopyApi::memcpy, Class::page_locked, complete(0)},
};

}  // namespace

bool LifetimePromise::is_kept_by(Seen seen) const {
  switch (outcome) {
    case Outcome::nothing:
      return true;
    case Outcome::captured:
      return seen == Seen::captured || seen == Seen::waited;
    case Outcome::complete:
      return seen == Seen::complete || seen == Seen::waited;
  }
  return false;
}

std::string LifetimePromise::describe() const {
  const std::string text = "promised: " + std::string(name_of(outcome, outcome_names));
  return row == 0 ? text : text + " (row " + std::to_string(row) + ")";
}

LifetimePromise promise_of(Hazard hazard, CopyApi api, MemoryKind memory, std::size_t bytes) {
  const auto* const entry = std::ranges::find_if(entries, [&](const Entry& candidate) {
    return candidate.hazard == hazard && candidate.api == api &&
           candidate.memory == class_of(memory);
  });
  if (entry == entries.end()) {
    throw std::out_of_range(std::string(name_of(hazard, hazard_names)) + " of " +
                            std::string(name_of(api, copy_api_names)) + ": no promise");
  }
  LifetimePromise promise = entry->promise;
  promise.is_known_to_be_broken = is_broken_by_h200(hazard, api, memory, bytes);
  return promise;
}

std::string lifetime_label(const SeenTally& tally, const LifetimePromise& promise, bool broken) {
  return tally.describe() + "; " +
         (broken ? "contradicts row " + std::to_string(promise.row) : promise.describe());
}

}  // namespace copybench
