// SPDX-License-Identifier: Apache-2.0
#include "common/run/timeline_files.hpp"

#include <string_view>

#include "common/timeline/timeline_svg.hpp"
#include "common/timeline/trace_events.hpp"

namespace copybench {
namespace {

constexpr std::string_view timeline_flag = "--copybench_timeline";

std::string without_ending(std::string file) {
  for (const std::string_view ending : {".svg", ".json"}) {
    if (file.ends_with(ending)) {
      file.resize(file.size() - ending.size());
      break;
    }
  }
  return file;
}

}  // namespace

TimelineFiles::TimelineFiles(const std::string& file)
    : picture_(without_ending(file) + ".svg", std::string(timeline_flag)),
      trace_(without_ending(file) + ".json", std::string(timeline_flag)) {}

void TimelineFiles::publish(const Timeline& timeline) const {
  picture_.publish(timeline_svg(timeline));
  trace_.publish(trace_events_json(timeline));
}

}  // namespace copybench
