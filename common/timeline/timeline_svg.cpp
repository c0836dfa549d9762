// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/timeline_svg.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "common/environment/fact.hpp"
#include "common/timeline/decimal.hpp"
#include "common/timeline/svg_layout.hpp"
#include "common/timeline/svg_style.hpp"

namespace copybench {
namespace {

constexpr double margin = 20;
constexpr double lanes_top = 122;

std::string_view style_of(ActivityKind kind, bool waits) {
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
      present.insert(style_of(bar.kind, bar.waits));
    }
  }
  constexpr double swatch = 14;
  constexpr double letter = 6.2;
  std::string text;
  double x = margin;
  for (const auto& [style, words] : entries) {
    if (present.contains(style)) {
      text += svg_box({.x = x, .y = y - swatch + 3, .width = swatch, .height = swatch}, style);
      text += svg_text(x + swatch + 6, y, words, "");
      x += swatch + 26 + letter * static_cast<double>(words.size());
    }
  }
  return text;
}

std::string heading(const Timeline& timeline, const TimelineLayout& layout) {
  std::string text = svg_text(margin, 28, clean_value(timeline.name), "head");
  text += svg_text(margin, 50, waiting_text(timeline), "");
  text += svg_text(margin, 68, launches_text(timeline), "");
  if (timeline.simulated) {
    text += svg_text(TimelineLayout::width - margin, 50, "SIMULATED: not a measurement", "warning",
                     "end");
  }
  return text + legend(layout, 96);
}

std::string axis(const TimelineLayout& layout) {
  std::string text;
  for (const double tick : layout.ticks) {
    const double x = layout.x_of(tick);
    text += svg_line(x, lanes_top, x, layout.axis_y + 4, "grid");
    const int digits = layout.ticks.size() > 1 && layout.ticks[1] < 1 ? 2 : 0;
    text += svg_text(x, layout.axis_y + 18, decimal(tick, digits), "soft", "middle");
  }
  return text + svg_text(TimelineLayout::left, layout.axis_y + 38,
                         "µs since the beginning of the sample", "soft");
}

std::string lane_text(const LaneLayout& lane) {
  const double bars_top = lane.box.y + TimelineLayout::mark_height;
  std::string text = svg_text(margin, bars_top + 20, lane.name, "name");
  for (const Bar& bar : lane.bars) {
    text += svg_box(bar.box, style_of(bar.kind, bar.waits), bar.hint);
    if (!bar.label.empty()) {
      text += svg_text(bar.box.x + 4, bar.box.y + 14, bar.label, "on-bar");
    }
  }
  for (const LaunchMark& mark : lane.marks) {
    text += svg_line(mark.text_x, bars_top - 4, mark.x, bars_top + 4, "lead");
    text += svg_text(mark.text_x, bars_top - 6, std::to_string(mark.number), "mark", "middle");
  }
  return text;
}

// From each launch to its kernel.
std::string arrows(const TimelineLayout& layout) {
  std::string text;
  for (const LaneLayout& from : layout.lanes) {
    for (const Bar& call : from.bars) {
      for (const LaneLayout& to : layout.lanes) {
        for (const Bar& bar : to.bars) {
          if (call.launch != 0 && call.kind == ActivityKind::call &&
              bar.kind == ActivityKind::kernel && bar.launch == call.launch) {
            text +=
                svg_line(call.box.x, call.box.y + call.box.height, bar.box.x, bar.box.y, "arrow");
          }
        }
      }
    }
  }
  return text;
}

std::string watermark(const TimelineLayout& layout) {
  const std::string x = decimal(TimelineLayout::width / 2, 0);
  const std::string y = decimal(layout.height / 2, 0);
  return "<g transform=\"translate(" + x + " " + y + ") rotate(-12)\">" +
         svg_text(0, 40, "SIMULATED", "watermark", "middle") + "</g>\n";
}

}  // namespace

std::string timeline_svg(const Timeline& timeline) {
  const TimelineLayout layout = lay_out(timeline, lanes_top);
  const std::string width = decimal(TimelineLayout::width, 0);
  const std::string height = decimal(layout.height, 0);
  const std::string name = xml_text(clean_value(timeline.name));
  std::string text = R"(<?xml version="1.0" encoding="UTF-8"?>)"
                     "\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" +
                     width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " + height +
                     "\">\n<title>" + name + "</title>\n<desc>" +
                     xml_text(waiting_text(timeline) + " " + launches_text(timeline)) +
                     (timeline.simulated ? " SIMULATED: not a measurement" : "") + "</desc>\n";
  text += svg_style;
  text += svg_box({.width = TimelineLayout::width, .height = layout.height}, "page");
  for (const LaneLayout& lane : layout.lanes) {
    text += svg_box(lane.box, "lane");
  }
  text += heading(timeline, layout) + axis(layout);
  for (const LaneLayout& lane : layout.lanes) {
    text += lane_text(lane);
  }
  text += arrows(layout);
  if (timeline.simulated) {
    text += watermark(layout);
  }
  return text + "</svg>\n";
}

}  // namespace copybench
