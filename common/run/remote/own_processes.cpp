// SPDX-License-Identifier: Apache-2.0
#include "common/run/remote/own_processes.hpp"

#include <string>
#include <utility>

#include "common/run/remote/case_process.hpp"
#include "common/run/remote/remote_measurement.hpp"

namespace copybench {

ProcessSettings process_settings(const Family& family, const AxisValues& values) {
  return family.process ? family.process(values) : ProcessSettings{};
}

SuiteHooks with_own_processes(const SuiteHooks& hooks, int ordinal) {
  SuiteHooks wrapped = hooks;
  const auto last = std::make_shared<std::shared_ptr<CaseProcess>>();
  wrapped.make_measurement = [last, ordinal, make_here = hooks.make_measurement](
                                 const Family& family,
                                 const AxisValues& values) -> std::unique_ptr<Measurement> {
    ProcessSettings settings = process_settings(family, values);
    std::string name = values.name();
    if (!settings.wants_own_process()) {
      // It would share the device with what is measured now.
      last->reset();
      return make_here(family, values);
    }
    if (*last == nullptr || (*last)->case_name() != name) {
      last->reset();
      *last = std::make_shared<CaseProcess>(std::move(name), std::move(settings), ordinal);
    }
    return std::make_unique<RemoteMeasurement>(*last);
  };
  return wrapped;
}

}  // namespace copybench
