// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/timeline.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace copybench {
namespace {

bool is_call(const Activity& activity) { return activity.kind == ActivityKind::call; }

// What overlaps the sample, by its beginning, on a clock that begins with it.
std::vector<Activity> cut_to(const RecordedSample& sample) {
  std::vector<Activity> inside;
  for (const Activity& activity : sample.activities) {
    if (activity.begin < sample.end && activity.end > sample.begin) {
      Activity& cut = inside.emplace_back(activity);
      cut.begin = std::max(activity.begin, sample.begin) - sample.begin;
      cut.end = std::min(activity.end, sample.end) - sample.begin;
    }
  }
  std::ranges::sort(inside, {}, [](const Activity& one) {
    return std::tuple(one.begin, one.end, one.correlation);
  });
  return inside;
}

Lane& lane_of(const Activity& activity, std::vector<Lane>& lanes) {
  const auto found = std::ranges::find_if(lanes, [&](const Lane& lane) {
    return lane.is_thread == is_call(activity) && lane.id == activity.place;
  });
  return found != lanes.end()
             ? *found
             : lanes.emplace_back(
                   Lane{.name = {}, .is_thread = is_call(activity), .id = activity.place});
}

bool has_kind(const Lane& lane, ActivityKind kind) {
  return std::ranges::find(lane.activities, kind, &Activity::kind) != lane.activities.end();
}

std::string stream_name(const Lane& lane, std::size_t number) {
  constexpr std::array<std::pair<ActivityKind, std::string_view>, 4> kinds{
      {{ActivityKind::kernel, "kernels"},
       {ActivityKind::copy, "copies"},
       {ActivityKind::fill, "fills"},
       {ActivityKind::host_function, "host functions"}}};
  std::string name = "stream " + std::to_string(number);
  std::string_view separator = ": ";
  for (const auto& [kind, word] : kinds) {
    if (has_kind(lane, kind)) {
      name += std::string(std::exchange(separator, ", ")) + std::string(word);
    }
  }
  return name;
}

void name_lanes(std::vector<Lane>& lanes) {
  std::size_t threads = 0;
  std::size_t streams = 0;
  for (Lane& lane : lanes) {
    if (!lane.is_thread) {
      lane.name = stream_name(lane, ++streams);
    } else if (threads++ == 0) {
      lane.name = "calling thread";
    } else {
      lane.name = "worker thread " + std::to_string(threads - 1);
    }
  }
}

}  // namespace

Timeline make_timeline(std::string name, bool simulated, const RecordedSample& sample) {
  Timeline timeline{.name = std::move(name),
                    .simulated = simulated,
                    .span = std::max(sample.end - sample.begin, Nanoseconds(1)),
                    .lanes = {}};
  timeline.lanes.push_back({.name = {}, .is_thread = true, .id = sample.calling_thread});
  for (Activity& activity : cut_to(sample)) {
    lane_of(activity, timeline.lanes).activities.push_back(std::move(activity));
  }
  // Numbers rise in the order in which threads and streams were made, whoever came first here.
  std::ranges::sort(timeline.lanes.begin() + 1, timeline.lanes.end(), {},
                    [](const Lane& lane) { return std::pair(!lane.is_thread, lane.id); });
  name_lanes(timeline.lanes);
  return timeline;
}

bool is_waiting(const Activity& activity, const Timeline& timeline) {
  constexpr int tenth = 10;
  return is_call(activity) && (activity.name.find("Synchronize") != std::string::npos ||
                               tenth * (activity.end - activity.begin) >= timeline.span);
}

std::vector<std::uint64_t> launches(const Timeline& timeline) {
  std::set<std::uint64_t> of_kernels;
  std::vector<std::pair<Nanoseconds, std::uint64_t>> calls;
  for (const Lane& lane : timeline.lanes) {
    for (const Activity& activity : lane.activities) {
      if (activity.kind == ActivityKind::kernel && activity.correlation != 0) {
        of_kernels.insert(activity.correlation);
      }
    }
  }
  for (const Lane& lane : timeline.lanes) {
    for (const Activity& activity : lane.activities) {
      if (is_call(activity) && of_kernels.contains(activity.correlation)) {
        calls.emplace_back(activity.begin, activity.correlation);
      }
    }
  }
  std::ranges::sort(calls);
  std::vector<std::uint64_t> correlations;
  std::ranges::transform(calls, std::back_inserter(correlations),
                         [](const auto& call) { return call.second; });
  return correlations;
}

}  // namespace copybench
