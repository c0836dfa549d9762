// SPDX-License-Identifier: Apache-2.0
// Linked into the programs that are built with CUPTI, and so the place where they say that they
// are.
#include "common/cupti/activity_recorder.hpp"
#include "common/cupti/span_sources.hpp"

namespace copybench {
namespace {

std::unique_ptr<CallSpans> make_from(SpanSource source) {
  return source == SpanSource::activity ? make_activity_spans() : make_callback_spans();
}

[[maybe_unused]] const bool is_registered = [] {
  make_call_spans = make_from;
  make_activity_recorder = make_cupti_recorder;
  return true;
}();

}  // namespace
}  // namespace copybench
