// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/svg_lane.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "common/environment/fact.hpp"
#include "common/timeline/decimal.hpp"

namespace copybench {
namespace {

// A call of a microsecond has to be seen in a sample of ten thousand.
constexpr double least_width = 2;
constexpr double lane_padding = 4;

double in_us(Nanoseconds time) { return std::chrono::duration<double, std::micro>(time).count(); }

std::string hint_of(const Activity& activity) {
  std::string text = clean_value(activity.name) + ": from " +
                     readable_microseconds(activity.begin) + " µs, " +
                     readable_microseconds(activity.end - activity.begin) + " µs long";
  if (activity.bytes != 0) {
    text += ", " + std::to_string(activity.bytes) + " bytes";
  }
  return text;
}

// As much of it as fits in, by the width of an average letter of a bar's font.
std::string fitting(const std::string& text, double width) {
  constexpr double letter = 6.4;
  constexpr std::size_t least_letters = 3;
  const auto room = static_cast<std::size_t>(std::max(width - letter, 0.0) / letter);
  if (text.size() <= room) {
    return text;
  }
  if (room < least_letters) {
    return "";
  }
  std::size_t end = room - 1;
  const auto is_inside_letter = [&] {
    return (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U;
  };
  while (end > 0 && is_inside_letter()) {
    --end;
  }
  return text.substr(0, end) + "…";
}

// Polls by the thousand are one bar that says so.
bool is_same_spot(const Bar& bar, const Activity& activity, bool waits, double x, double width) {
  const bool touches = x <= bar.box.x + bar.box.width + 1;
  const bool is_small = width <= least_width && !waits && !bar.waits;
  return touches && is_small && bar.kind == activity.kind && bar.label == activity.name;
}

class LaneBuilder {
 public:
  LaneBuilder(const Timeline& timeline, const TimelineLayout& layout,
              const LaunchNumbers& launch_numbers)
      : timeline_(timeline), layout_(layout), launch_numbers_(launch_numbers) {}

  LaneLayout build(const Lane& lane, double top) {
    LaneLayout built{.name = lane.name};
    // By rows: what overlaps something stands below it.
    std::vector<Nanoseconds> ends;
    std::vector<std::pair<std::size_t, std::size_t>> last_bars;
    const double bars_top = top + TimelineLayout::mark_height;
    for (const Activity& activity : lane.activities) {
      const auto free =
          std::ranges::find_if(ends, [&](Nanoseconds end) { return end <= activity.begin; });
      const auto row = static_cast<std::size_t>(free - ends.begin());
      if (free == ends.end()) {
        ends.emplace_back();
        last_bars.emplace_back(built.bars.size(), 0);
      }
      ends[row] = activity.end;
      add(activity, row, bars_top, last_bars[row], built);
    }
    const auto rows = static_cast<double>(std::max<std::size_t>(ends.size(), 1));
    built.box = {.x = 0,
                 .y = top,
                 .width = TimelineLayout::width,
                 .height = TimelineLayout::mark_height + rows * TimelineLayout::row_height +
                           2 * lane_padding};
    return built;
  }

 private:
  // `last` is the row's last bar, and how many activities it stands for.
  void add(const Activity& activity, std::size_t row, double bars_top,
           std::pair<std::size_t, std::size_t>& last, LaneLayout& built) const {
    const double x = layout_.x_of(in_us(activity.begin));
    const double exact = in_us(activity.end - activity.begin) * layout_.pixels_per_us;
    const double width = std::max(exact, least_width);
    const bool waits = is_waiting(activity, timeline_);
    const auto found = launch_numbers_.find(activity.correlation);
    const std::size_t launch =
        activity.correlation == 0 || found == launch_numbers_.end() ? 0 : found->second;
    if (launch != 0 && activity.kind == ActivityKind::call) {
      constexpr double room = 14;
      const double free = built.marks.empty() ? 0 : built.marks.back().text_x + room;
      built.marks.push_back({.number = launch, .x = x, .text_x = std::max(x, free)});
    }
    if (last.second > 0 && launch == 0 &&
        is_same_spot(built.bars[last.first], activity, waits, x, width)) {
      Bar& bar = built.bars[last.first];
      bar.box.width = std::max(bar.box.width, x + width - bar.box.x);
      bar.hint = bar.label + ": " + std::to_string(++last.second) + " of them";
      return;
    }
    last = {built.bars.size(), 1};
    built.bars.push_back({.box = {.x = x,
                                  .y = bars_top + lane_padding +
                                       static_cast<double>(row) * TimelineLayout::row_height,
                                  .width = width,
                                  .height = TimelineLayout::row_height - 2},
                          .kind = activity.kind,
                          .waits = waits,
                          .launch = launch,
                          .label = activity.name,
                          .hint = hint_of(activity)});
  }

  const Timeline& timeline_;
  const TimelineLayout& layout_;
  const LaunchNumbers& launch_numbers_;
};

// A name until then.
void shorten_labels(LaneLayout& lane) {
  for (Bar& bar : lane.bars) {
    const std::string number =
        bar.launch != 0 && bar.kind != ActivityKind::call ? std::to_string(bar.launch) + " " : "";
    bar.label = fitting(number + clean_value(bar.label), bar.box.width);
  }
}

}  // namespace

LaneLayout lay_out_lane(const Lane& lane, double top, const Timeline& timeline,
                        const TimelineLayout& layout, const LaunchNumbers& numbers) {
  LaneLayout built = LaneBuilder(timeline, layout, numbers).build(lane, top);
  shorten_labels(built);
  return built;
}

}  // namespace copybench
