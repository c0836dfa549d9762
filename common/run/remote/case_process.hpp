// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "common/run/remote/child_process.hpp"
#include "common/suite/process_settings.hpp"

namespace copybench {

/// The process of one case, its device started. Not thread-safe.
class CaseProcess {
 public:
  /// Starts it. Throws ChildError, and std::runtime_error with what the process threw.
  CaseProcess(std::string case_name, ProcessSettings settings, int ordinal);

  [[nodiscard]] const std::string& case_name() const noexcept { return case_name_; }

  /// The words of the answer, of which the first is one of `expected`. Throws std::runtime_error
  /// with the text of what was thrown in the process, and ChildError when it has ended.
  Words ask(const Words& request, std::initializer_list<std::string_view> expected);

  /// Puts a fresh process in its place.
  void restart();

 private:
  std::string case_name_;
  ProcessSettings settings_;
  int ordinal_;
  std::unique_ptr<ChildProcess> child_;
};

}  // namespace copybench
