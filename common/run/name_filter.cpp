// SPDX-License-Identifier: Apache-2.0
#include "common/run/name_filter.hpp"

#include <utility>

#include "common/run/exit_status.hpp"

namespace copybench {
namespace {

constexpr std::size_t longest_filter = 4096;

}  // namespace

NameFilter::NameFilter(std::string text) : text_(std::move(text)) {
  // std::regex recurses, and a deep enough expression overflows the stack.
  if (text_.size() > longest_filter) {
    throw UsageError("--benchmark_filter: longer than " + std::to_string(longest_filter) +
                     " bytes");
  }
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
