// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/svg_layout.hpp"

#include <chrono>
#include <cmath>

#include "common/timeline/svg_lane.hpp"

namespace copybench {
namespace {

constexpr double lane_gap = 10;
constexpr double axis_height = 48;

// 1, 2 or 5 times a power of ten, so that there are about ten.
std::vector<double> round_ticks(double span_us) {
  constexpr double most = 10;
  const double power = std::pow(10, std::floor(std::log10(span_us / most)));
  double step = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = factor * power;
    if (span_us / step <= most) {
      break;
    }
  }
  std::vector<double> ticks;
  for (int i = 0; i * step <= span_us; ++i) {
    ticks.push_back(i * step);
  }
  return ticks;
}

// By correlation. Of very many launches no number would be readable.
LaunchNumbers number_launches(const Timeline& timeline) {
  constexpr std::size_t most = 32;
  LaunchNumbers numbers;
  for (const std::uint64_t correlation : launches(timeline)) {
    numbers.try_emplace(correlation, numbers.size() + 1);
  }
  return numbers.size() <= most ? numbers : LaunchNumbers{};
}

}  // namespace

TimelineLayout lay_out(const Timeline& timeline, double top) {
  TimelineLayout layout;
  const double span_us = std::chrono::duration<double, std::micro>(timeline.span).count();
  layout.pixels_per_us =
      (TimelineLayout::width - TimelineLayout::left - TimelineLayout::right) / span_us;
  layout.ticks = round_ticks(span_us);
  const LaunchNumbers numbers = number_launches(timeline);
  double y = top;
  for (const Lane& lane : timeline.lanes) {
    layout.lanes.push_back(lay_out_lane(lane, y, timeline, layout, numbers));
    y += layout.lanes.back().box.height + lane_gap;
  }
  layout.axis_y = y;
  layout.height = y + axis_height;
  return layout;
}

}  // namespace copybench
