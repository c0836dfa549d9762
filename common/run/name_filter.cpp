// SPDX-License-Identifier: Apache-2.0
#include "common/run/name_filter.hpp"

#include <utility>

#include "common/run/exit_status.hpp"

namespace copybench {

NameFilter::NameFilter(std::string text) : text_(std::move(text)) {
  std::string expression = text_.empty() || text_ == "all" ? "." : text_;
  negated_ = expression.front() == '-';
  if (negated_) {
    expression.erase(0, 1);
  }
  try {
    expression_ = std::regex(expression, std::regex::extended);
  } catch (const std::regex_error&) {
    throw UsageError("--benchmark_filter=" + text_ + ": not a POSIX extended regular expression");
  }
}

bool NameFilter::matches(const std::string& name) const {
  return std::regex_search(name, expression_) != negated_;
}

}  // namespace copybench
