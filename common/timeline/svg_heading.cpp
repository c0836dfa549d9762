// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/svg_heading.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "common/environment/fact.hpp"
#include "common/timeline/decimal.hpp"
#include "common/timeline/svg_style.hpp"

namespace copybench {
namespace {

std::string waiting_text(const Timeline& timeline) {
  Nanoseconds waiting{};
  for (const Activity& activity : timeline.lanes.front().activities) {
    waiting += is_waiting(activity, timeline) ? activity.end - activity.begin : Nanoseconds{};
  }
  return "One sample, " + readable_microseconds(timeline.span) + " µs. The calling thread makes " +
         std::to_string(timeline.lanes.front().activities.size()) +
         " calls; those that wait take " + readable_microseconds(waiting) + " µs.";
}

std::string launches_text(const Timeline& timeline) {
  constexpr std::size_t most = 8;
  const std::vector<std::uint64_t> order = launches(timeline);
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), most); ++i) {
    for (const Lane& lane : timeline.lanes) {
      for (const Activity& activity : lane.activities) {
        if (activity.kind == ActivityKind::call && activity.correlation == order[i]) {
          text += (i == 0 ? "Kernels launched at: " : ", ") + std::to_string(i + 1) + ") " +
                  readable_microseconds(activity.begin);
        }
      }
    }
  }
  return text.empty() ? text : text + (order.size() > most ? " µs, ..." : " µs");
}

std::string legend(const TimelineLayout& layout, double y) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> entries{
      {{"call", "call of the runtime"},
       {"waits", "call that waits: synchronises, or takes a tenth of the sample"},
       {"kernel", "kernel"},
       {"copy", "copy"},
       {"fill", "fill"},
       {"host", "host function"}}};
  std::set<std::string_view> present;
  for (const LaneLayout& lane : layout.lanes) {
    for (const Bar& bar : lane.bars) {
      present.insert(svg_style_of(bar.kind, bar.waits));
    }
  }
  constexpr double swatch = 14;
  constexpr double letter = 6.2;
  std::string text;
  double x = svg_margin;
  for (const auto& [style, words] : entries) {
    if (present.contains(style)) {
      text += svg_box({.x = x, .y = y - swatch + 3, .width = swatch, .height = swatch}, style);
      text += svg_text(x + swatch + 6, y, words, "");
      x += swatch + 26 + letter * static_cast<double>(words.size());
    }
  }
  return text;
}

}  // namespace

std::string timeline_summary(const Timeline& timeline) {
  return waiting_text(timeline) + " " + launches_text(timeline);
}

std::string svg_heading(const Timeline& timeline, const TimelineLayout& layout) {
  std::string text = svg_text(svg_margin, 28, clean_value(timeline.name), "head");
  text += svg_text(svg_margin, 50, waiting_text(timeline), "");
  text += svg_text(svg_margin, 68, launches_text(timeline), "");
  if (timeline.simulated) {
    text += svg_text(TimelineLayout::width - svg_margin, 50, "SIMULATED: not a measurement",
                     "warning", "end");
  }
  return text + legend(layout, 96);
}

}  // namespace copybench
