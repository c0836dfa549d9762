// SPDX-License-Identifier: Apache-2.0
#include "common/run/remote/case_process.hpp"

#include <algorithm>
#include <unistd.h>
#include <utility>

#include "common/environment/fact.hpp"
#include "common/environment/text.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/run/remote/case_server.hpp"
#include "common/run/remote/wire.hpp"

namespace copybench {

CaseProcess::CaseProcess(std::string case_name, ProcessSettings settings, int ordinal)
    : case_name_(std::move(case_name)), settings_(std::move(settings)), ordinal_(ordinal) {
  restart();
}

void CaseProcess::restart() {
  // Two of them may not fit on the device together.
  child_.reset();
  child_ = std::make_unique<ChildProcess>(serving_argument(getpid()), settings_.environment);
  Words request{"start"};
  put_number(request, static_cast<std::size_t>(ordinal_));
  put_flags(request, settings_.device_flags);
  put_cpus(request, all_cpus());
  request.push_back(case_name_);
  (void)ask(request, {"started"});
}

Words CaseProcess::ask(const Words& request, std::initializer_list<std::string_view> expected) {
  Words words = child_->ask(request);
  const std::string& what = words.front();
  if (what == "error" && words.size() == 2) {
    throw std::runtime_error(words.back());
  }
  if (std::ranges::find(expected, what) == expected.end()) {
    throw ChildError("the process of its own answered \"" + request.front() + "\" with \"" +
                     clean_value(join(words, " ").value_or("")) + "\"");
  }
  return words;
}

}  // namespace copybench
