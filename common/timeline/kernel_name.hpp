// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace copybench {

/// The name of a kernel as its source has it, without namespaces, templates and arguments:
/// "_ZN9copybench4growEPdm" is "grow". What is not mangled stays as it is.
[[nodiscard]] std::string short_kernel_name(const char* mangled);

}  // namespace copybench
