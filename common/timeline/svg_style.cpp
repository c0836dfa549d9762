// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/svg_style.hpp"

namespace copybench {
namespace {

constexpr std::string_view style_sheet = R"css(<style>
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; font-size: 12px; fill: #1b1f24 }
.page { fill: #ffffff } .lane { fill: #f4f6f8 } .grid { stroke: #d0d7de; stroke-width: 1 }
.head { font-size: 15px; font-weight: bold } .name { font-weight: bold } .soft { fill: #57606a }
.mark { font-weight: bold } .lead { stroke: #1b1f24; stroke-width: 1 }
.arrow { stroke: #1b1f24; stroke-width: 1; stroke-dasharray: 3 3; stroke-opacity: 0.55 }
.on-bar { font-size: 11px; fill: #111111 }
.call { fill: #79b8ff } .kernel { fill: #85d08a } .copy { fill: #ffc069 } .fill { fill: #d3b4e8 }
.host { fill: #7fd6d0 } .waits { fill: url(#hatch); stroke: #b3261e; stroke-width: 1 }
.warning { fill: #b3261e; font-weight: bold }
.watermark { font-size: 110px; font-weight: bold; fill: #b3261e; fill-opacity: 0.10 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .page { fill: #0d1117 } .lane { fill: #161b22 } .grid { stroke: #30363d }
.soft { fill: #9da7b3 } .lead, .arrow { stroke: #e6edf3 } .on-bar { fill: #111111 }
.warning, .watermark { fill: #ff8a80 } }
</style>
<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="8" height="8" fill="#ffb3a8"/><rect width="3" height="8" fill="#f2867b"/></pattern></defs>
)css";

}  // namespace

std::string_view svg_style() { return style_sheet; }

std::string_view svg_style_of(ActivityKind kind, bool waits) {
  switch (kind) {
    case ActivityKind::call:
      return waits ? "waits" : "call";
    case ActivityKind::kernel:
      return "kernel";
    case ActivityKind::copy:
      return "copy";
    case ActivityKind::fill:
      return "fill";
    case ActivityKind::host_function:
      return "host";
  }
  return "call";
}

}  // namespace copybench
