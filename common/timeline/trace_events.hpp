// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/timeline/timeline.hpp"

namespace copybench {

/// The timeline in the Trace Event Format, which Perfetto (ui.perfetto.dev) and chrome://tracing
/// open: a complete event (ph X) for each activity, in microseconds from its beginning; threads are
/// those of a process "host", streams those of a process "device"; arrows (ph s and f) lead from
/// the calls to what they enqueued.
[[nodiscard]] std::string trace_events_json(const Timeline& timeline);

}  // namespace copybench
