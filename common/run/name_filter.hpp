// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <regex>
#include <string>

namespace copybench {

/// Google Benchmark's --benchmark_filter: a POSIX extended regular expression that is searched for
/// in the name; a leading '-' turns it round; nothing and "all" match everything.
class NameFilter {
 public:
  /// Throws UsageError when it is no regular expression, or longer than 4096 bytes.
  explicit NameFilter(std::string text);

  [[nodiscard]] bool matches(const std::string& name) const;
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
  bool negated_ = false;
  std::regex expression_;
};

}  // namespace copybench
