// SPDX-License-Identifier: Apache-2.0
// What keeps parallel staging from the speed of the pinned copy?
#include "benchmarks/families.hpp"
#include "benchmarks/staging_half.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

// The link alone is not written to by threads: "none".
Store parse_store(const AxisValues& values) {
  return values.at("store") == "none" ? Store::cached
                                      : parse_axis<Store>(values, "store", store_names);
}

StagingHalfSetup parse_setup(const AxisValues& values) {
  return {.half = parse_axis<Half>(values, "half", half_names),
          .direction = parse_axis<Direction>(values, "dir", direction_names),
          .store = parse_store(values),
          .threads = values.number("threads"),
          .chunk_bytes = values.number("chunk"),
          .streams = values.number("streams"),
          .bytes = values.number("bytes")};
}

MemoryNeeds memory_needs(const AxisValues& values) {
  const std::size_t bytes = values.number("bytes");
  return {{MemoryKind::pageable, bytes},
          {MemoryKind::pinned, bytes + StagingHalf::ring_bytes},
          {MemoryKind::device, bytes}};
}

// The leader of half:link_beside_host drives the link, and its threads are beside it.
std::optional<std::string> lacks(const AxisValues& values, const Device& /*device*/) {
  const std::size_t threads =
      values.number("threads") + (values.at("half") == "link_beside_host" ? 1 : 0);
  if (threads > cpu_count()) {
    return "needs " + std::to_string(threads) + " processors";
  }
  return std::nullopt;
}

std::optional<std::string> refuse(const AxisValues& values) {
  if ((values.at("store") == "none") != (values.at("half") == "link")) {
    return "store: none is for half:link, and nothing else is";
  }
  if (values.at("half") == "link_after_host" && values.number("bytes") > StagingHalf::ring_bytes) {
    return "bytes: of half:link_after_host at most " + std::to_string(StagingHalf::ring_bytes);
  }
  const auto require = [&](const char* axis, std::size_t most) -> std::optional<std::string> {
    const std::size_t value = values.number(axis);
    if (value == 0 || value > most) {
      return std::string(axis) + ": expected 1 to " + std::to_string(most);
    }
    return std::nullopt;
  };
  for (const auto& refused :
       {require("threads", StagingHalf::ring_bytes / StagingHalf::piece_bytes),
        require("streams", 2), require("chunk", ~std::size_t{0})}) {
    if (refused) {
      return refused;
    }
  }
  return std::nullopt;
}

Sweep sweep(std::string question, std::string half, std::vector<std::string> store,
            std::vector<std::string> threads, std::vector<std::string> chunk,
            std::vector<std::string> streams, std::vector<std::string> bytes = {"268435456"}) {
  return {std::move(question),
          {{"half", {std::move(half)}},
           {"dir", {"h2d", "d2h"}},
           {"store", std::move(store)},
           {"threads", std::move(threads)},
           {"chunk", std::move(chunk)},
           {"streams", std::move(streams)},
           {"bytes", std::move(bytes)}},
          false};
}

}  // namespace

Family staging_limits_family() {
  return {
      "staging_limits",
      {sweep("What does the link lose between two chunks?", "link", {"none"}, {"1"},
             {"524288", "1048576", "2097152", "4194304", "8388608", "16777216"}, {"1"}),
       sweep("Does a second stream fill the pauses?", "link", {"none"}, {"1"},
             {"1048576", "4194304"}, {"2"}),
       sweep("How fast do threads fill or empty chunks?", "host", {"cached", "demoted", "streamed"},
             {"1", "2", "4", "6", "8", "12", "16"}, {"8388608"}, {"1"}),
       sweep("What do threads that fill or empty chunks cost the link?", "link_beside_host",
             {"cached", "streamed"}, {"4", "8", "12"}, {"8388608"}, {"1"}),
       sweep("How fast is the link where threads have just been?", "link_after_host",
             {"cached", "demoted", "streamed"}, {"1", "8"}, {"8388608"}, {"1"},
             {"262144", "1048576", "8388608", "33554432"})},
      [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
        return std::make_unique<StagingHalf>(parse_setup(values), fixtures);
      },
      memory_needs,
      refuse,
      lacks};
}

}  // namespace copybench
