// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/run/suite_hooks.hpp"
#include "common/suite/family.hpp"
#include "common/suite/process_settings.hpp"

namespace copybench {

/// What a case wants of its process: nothing for a family that does not say.
[[nodiscard]] ProcessSettings process_settings(const Family& family, const AxisValues& values);

/// The same hooks, but for cases that want a process of their own: those are measured in one, on
/// the device `ordinal`. It lasts until another case begins, so that the repetitions of a case
/// share it: starting one takes about a second on a GPU.
[[nodiscard]] SuiteHooks with_own_processes(const SuiteHooks& hooks, int ordinal);

}  // namespace copybench
