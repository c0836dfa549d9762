// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/timeline_svg.hpp"

#include "common/environment/fact.hpp"
#include "common/timeline/decimal.hpp"
#include "common/timeline/svg_heading.hpp"
#include "common/timeline/svg_layout.hpp"
#include "common/timeline/svg_style.hpp"

namespace copybench {
namespace {

constexpr double lanes_top = 122;

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
  std::string text = svg_text(svg_margin, bars_top + 20, lane.name, "name");
  for (const Bar& bar : lane.bars) {
    text += svg_box(bar.box, svg_style_of(bar.kind, bar.waits), bar.hint);
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
                     xml_text(timeline_summary(timeline)) +
                     (timeline.simulated ? " SIMULATED: not a measurement" : "") + "</desc>\n";
  text += svg_style();
  text += svg_box({.width = TimelineLayout::width, .height = layout.height}, "page");
  for (const LaneLayout& lane : layout.lanes) {
    text += svg_box(lane.box, "lane");
  }
  text += svg_heading(timeline, layout) + axis(layout);
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
