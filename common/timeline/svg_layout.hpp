// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/timeline/svg_element.hpp"
#include "common/timeline/timeline.hpp"

namespace copybench {

/// One activity as it is drawn, or several of one name that would be one spot.
struct Bar {
  SvgBox box{};
  ActivityKind kind = ActivityKind::call;
  bool waits = false;
  /// Which launch of a kernel it is part of, on either side; 0 for none.
  std::size_t launch = 0;
  std::string label{};
  std::string hint{};
};

/// The mark of a kernel launch above its call.
struct LaunchMark {
  std::size_t number = 0;
  /// Where the call is, and where there was room for the number.
  double x = 0;
  double text_x = 0;
};

struct LaneLayout {
  std::string name{};
  SvgBox box{};
  std::vector<Bar> bars{};
  std::vector<LaunchMark> marks{};
};

/// Where everything stands in the picture of a timeline.
struct TimelineLayout {
  static constexpr double width = 1200;
  static constexpr double left = 250;
  static constexpr double right = 24;
  static constexpr double row_height = 22;
  /// Between the launch marks' base line and the bars.
  static constexpr double mark_height = 20;

  double height = 0;
  double axis_y = 0;
  std::vector<LaneLayout> lanes{};
  /// In microseconds, round numbers.
  std::vector<double> ticks{};
  double pixels_per_us = 1;

  [[nodiscard]] double x_of(double us) const { return left + us * pixels_per_us; }
};

/// `top` is where the lanes begin.
[[nodiscard]] TimelineLayout lay_out(const Timeline& timeline, double top);

}  // namespace copybench
