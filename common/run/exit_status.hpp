// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace copybench {

/// What the process ends with. A signal adds its number to exit_signal: 130 for SIGINT.
inline constexpr int exit_passed = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_no_device = 3;
inline constexpr int exit_signal = 128;

/// The user asked for something that does not exist or cannot be. what() is one line and begins
/// with the argument at fault.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace copybench
