// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/run/output_file.hpp"
#include "common/timeline/timeline.hpp"

namespace copybench {

/// What --copybench_timeline=FILE writes: FILE.svg, a picture, and FILE.json, the same sample for a
/// viewer of traces. An ending .svg or .json of FILE is left off.
class TimelineFiles {
 public:
  /// Makes sure that publish() will be able to write. Throws UsageError.
  explicit TimelineFiles(const std::string& file);

  [[nodiscard]] const OutputFile& picture() const noexcept { return picture_; }
  /// The one for viewers.
  [[nodiscard]] const OutputFile& trace() const noexcept { return trace_; }

  /// Each is written whole or not at all. Throws std::runtime_error.
  void publish(const Timeline& timeline) const;

 private:
  OutputFile picture_;
  OutputFile trace_;
};

}  // namespace copybench
