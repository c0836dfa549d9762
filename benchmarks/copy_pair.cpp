// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/copy_pair.hpp"

#include <utility>

#include "common/measurement/quiet_cpu.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

Sweep sweep(std::string question, std::vector<std::string> pairs, std::string gpus,
            std::vector<std::string> memories, std::vector<std::string> threads,
            std::vector<std::string> bytes = {"67108864", "268435456"}) {
  return {std::move(question),
          {{"pair", std::move(pairs)},
           {"gpus", {std::move(gpus)}},
           {"mem", std::move(memories)},
           {"threads", std::move(threads)},
           {"metric", {"completion"}},
           {"bytes", std::move(bytes)}},
          false};
}

}  // namespace

CopyPair CopyPair::parse(const AxisValues& values) {
  return {parse_axis<Pair>(values, "pair", pair_names), values.number("gpus"),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names), values.number("threads"),
          values.number("bytes")};
}

std::vector<Sweep> copy_pair_sweeps() {
  Sweep quick = sweep("Does one thread get both directions of the link at once?", {"both"}, "1",
                      {"pinned"}, {"1"}, {"67108864"});
  quick.in_quick = true;
  return {std::move(quick),
          sweep("What does each direction do alone?", {"h2d_alone", "d2h_alone"}, "1",
                {"pinned", "pageable"}, {"1"}),
          sweep("And both at once, enqueued by one thread or by a thread each?", {"both"}, "1",
                {"pinned", "pageable"}, {"1", "2"}),
          sweep("Do copies to two devices at once slow each other down?", {"h2d_alone"}, "2",
                {"pinned"}, {"1"}),
          sweep("And pageable ones, staged by a thread each?", {"h2d_alone"}, "2", {"pageable"},
                {"2"}, {"67108864"})};
}

std::optional<std::string> refuse_copy_pair(const AxisValues& values) {
  const CopyPair parsed = CopyPair::parse(values);
  if (parsed.bytes == 0) {
    return "bytes: 0 is no copy to time";
  }
  if (parsed.gpus > 2 || (parsed.gpus == 2 && parsed.pair != Pair::h2d_alone)) {
    return "gpus: must be 1, or 2 for pair:h2d_alone";
  }
  if (parsed.threads > parsed.copies()) {
    return "threads: more than the " + std::to_string(parsed.copies()) + " there are copies for";
  }
  return std::nullopt;
}

std::optional<std::string> lacks_for_copy_pair(const AxisValues& values, const Device& device) {
  const CopyPair parsed = CopyPair::parse(values);
  if (parsed.gpus > 1 && device.count < 2) {
    return "needs a second GPU";
  }
  if (parsed.threads > cpu_count()) {
    return "needs " + std::to_string(parsed.threads) + " processors";
  }
  return std::nullopt;
}

}  // namespace copybench
