// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/small_arrays_sweeps.hpp"

#include <string>
#include <utility>

namespace copybench {
namespace {

using Values = std::vector<std::string>;

const Values small{"64", "1024", "16384"};
// So many of them that 4096 would be 1 GiB.
const Values large{"262144"};

Sweep sweep(std::string question, Values ways, Values directions, std::string memory, Values bytes,
            Values counts) {
  return {std::move(question),
          {{"way", std::move(ways)},
           {"dir", std::move(directions)},
           {"mem", {std::move(memory)}},
           {"metric", {"completion"}},
           {"bytes", std::move(bytes)},
           {"count", std::move(counts)}},
          false};
}

}  // namespace

std::vector<Sweep> small_arrays_sweeps() {
  const Values ways{"loop", "batch", "pack"};
  std::vector<Sweep> sweeps{
      sweep("Which way to the device is the fastest for so many arrays of this size?", ways,
            {"h2d"}, "pinned", small, {"1", "16", "256", "4096"}),
      sweep("And for large ones?", ways, {"h2d"}, "pinned", large, {"1", "16", "256"}),
      sweep("Does a kernel that reads them where they are beat them all?", {"mapped_gather"},
            {"h2d"}, "pinned_mapped", small, {"1", "16", "256", "4096"}),
      sweep("And for large ones, where every byte crosses the link by loads?", {"mapped_gather"},
            {"h2d"}, "pinned_mapped", large, {"1", "16", "256"}),
      sweep("Which way is the fastest to the host?", ways, {"d2h"}, "pinned", small,
            {"16", "4096"}),
      sweep("And for large ones to the host?", ways, {"d2h"}, "pinned", large, {"16", "256"}),
      sweep("Does a kernel that writes them where they belong beat them all?", {"mapped_gather"},
            {"d2h"}, "pinned_mapped", small, {"16", "4096"}),
      sweep("And for large ones, where every byte crosses the link by stores?", {"mapped_gather"},
            {"d2h"}, "pinned_mapped", large, {"16", "256"}),
      sweep("Which way is the fastest for arrays that nobody has pinned?", ways, {"h2d", "d2h"},
            "pageable", {"64", "1024", "16384", "262144"}, {"256"}),
      {"How long does each way keep the host?",
       {{"way", ways},
        {"dir", {"h2d"}},
        {"mem", {"pinned"}},
        {"metric", {"blocked"}},
        {"bytes", {"1024"}},
        {"count", {"4096"}}},
       false},
  };
  Sweep& quick = sweeps.front();
  quick.in_quick = true;
  for (Axis& axis : quick.axes) {
    if (axis.key == "bytes") {
      axis.quick_values = {"1024"};
    }
    if (axis.key == "count") {
      axis.quick_values = {"256"};
    }
  }
  return sweeps;
}

}  // namespace copybench
