// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/trace_events.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "common/environment/fact.hpp"
#include "common/named_enum.hpp"
#include "common/run/json.hpp"
#include "common/timeline/decimal.hpp"

namespace copybench {
namespace {

constexpr std::array<std::string_view, 5> category_names{"call", "kernel", "copy", "fill",
                                                         "host_function"};

// Perfetto sorts processes by this number, and shows nothing of it else.
constexpr std::size_t host_pid = 1;
constexpr std::size_t device_pid = 2;

using Fields = std::vector<std::pair<std::string_view, std::string>>;

std::string object(const Fields& fields) {
  std::string text = "{";
  for (const auto& [key, value] : fields) {
    text += (text.size() > 1 ? ", " : "") + json_string(key) + ": " + value;
  }
  return text + "}";
}

std::string trace_time(Nanoseconds time) { return decimal_microseconds(time, 3); }

// Which process and which thread of it a lane is.
Fields place_of(const Timeline& timeline, std::size_t lane) {
  const std::size_t pid = timeline.lanes[lane].is_thread ? host_pid : device_pid;
  return {{"pid", std::to_string(pid)}, {"tid", std::to_string(lane + 1)}};
}

std::string named(std::string_view what, const Fields& place, const Fields& arguments) {
  Fields fields{{"name", json_string(what)}, {"ph", json_string("M")}};
  fields.insert(fields.end(), place.begin(), place.end());
  fields.emplace_back("args", object(arguments));
  return object(fields);
}

void add_names(const Timeline& timeline, std::vector<std::string>& events) {
  const std::string mark = timeline.simulated ? " (SIMULATED, not a measurement)" : "";
  for (const auto& [pid, name] : {std::pair(host_pid, "host"), std::pair(device_pid, "device")}) {
    const Fields place{{"pid", std::to_string(pid)}, {"tid", "0"}};
    events.push_back(named("process_name", place, {{"name", json_string(name + mark)}}));
    events.push_back(named("process_sort_index", place, {{"sort_index", std::to_string(pid)}}));
  }
  for (std::size_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    const Fields place = place_of(timeline, lane);
    events.push_back(
        named("thread_name", place, {{"name", json_string(timeline.lanes[lane].name)}}));
    events.push_back(named("thread_sort_index", place, {{"sort_index", std::to_string(lane + 1)}}));
  }
}

std::string complete(const Activity& activity, const Fields& place, const Timeline& timeline) {
  Fields arguments;
  if (activity.correlation != 0) {
    arguments.emplace_back("correlation", std::to_string(activity.correlation));
  }
  if (activity.bytes != 0) {
    arguments.emplace_back("bytes", std::to_string(activity.bytes));
  }
  if (is_waiting(activity, timeline)) {
    arguments.emplace_back("waits", "true");
  }
  Fields fields{{"name", json_string(clean_value(activity.name))},
                {"cat", json_string(name_of(activity.kind, category_names))},
                {"ph", json_string("X")},
                {"ts", trace_time(activity.begin)},
                {"dur", trace_time(activity.end - activity.begin)}};
  fields.insert(fields.end(), place.begin(), place.end());
  fields.emplace_back("args", object(arguments));
  return object(fields);
}

std::string arrow_end(std::string_view phase, const Activity& activity, const Fields& place) {
  Fields fields{{"name", json_string("enqueues")},
                {"cat", json_string("enqueues")},
                {"ph", json_string(phase)},
                {"id", std::to_string(activity.correlation)},
                {"ts", trace_time(activity.begin)}};
  fields.insert(fields.end(), place.begin(), place.end());
  if (phase == "f") {
    // Without it the arrow leads to whatever begins next.
    fields.emplace_back("bp", json_string("e"));
  }
  return object(fields);
}

// The first thing that each call enqueued: an arrow has one end.
std::set<std::pair<std::size_t, std::size_t>> arrow_heads(const Timeline& timeline) {
  std::set<std::uint64_t> calls;
  std::set<std::pair<std::size_t, std::size_t>> heads;
  for (std::size_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    const std::vector<Activity>& activities = timeline.lanes[lane].activities;
    for (std::size_t i = 0; i < activities.size(); ++i) {
      const std::uint64_t correlation = activities[i].correlation;
      if (timeline.lanes[lane].is_thread) {
        calls.insert(correlation);
      } else if (correlation != 0 && calls.erase(correlation) != 0) {
        heads.emplace(lane, i);
      }
    }
  }
  return heads;
}

void add_activities(const Timeline& timeline, std::vector<std::string>& events) {
  const auto heads = arrow_heads(timeline);
  std::set<std::uint64_t> led_to;
  for (const auto& [lane, i] : heads) {
    led_to.insert(timeline.lanes[lane].activities[i].correlation);
  }
  for (std::size_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    const Fields place = place_of(timeline, lane);
    const std::vector<Activity>& activities = timeline.lanes[lane].activities;
    for (std::size_t i = 0; i < activities.size(); ++i) {
      events.push_back(complete(activities[i], place, timeline));
      if (heads.contains({lane, i})) {
        events.push_back(arrow_end("f", activities[i], place));
      } else if (timeline.lanes[lane].is_thread && led_to.contains(activities[i].correlation)) {
        events.push_back(arrow_end("s", activities[i], place));
      }
    }
  }
}

}  // namespace

std::string trace_events_json(const Timeline& timeline) {
  std::vector<std::string> events;
  add_names(timeline, events);
  add_activities(timeline, events);
  std::string text = "{\n\"traceEvents\": [\n";
  for (std::size_t i = 0; i < events.size(); ++i) {
    text += events[i] + (i + 1 < events.size() ? ",\n" : "\n");
  }
  text += "],\n\"displayTimeUnit\": \"ns\",\n\"otherData\": ";
  Fields about{{"case", json_string(clean_value(timeline.name))},
               {"span_us", trace_time(timeline.span)}};
  if (timeline.simulated) {
    about.emplace_back("simulated", json_string("true"));
  }
  return text + object(about) + "\n}\n";
}

}  // namespace copybench
