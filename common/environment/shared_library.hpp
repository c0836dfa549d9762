// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace copybench {

/// A library opened at run time, or nothing where it is not installed. Never throws.
class SharedLibrary {
 public:
  explicit SharedLibrary(const char* name) noexcept;

  /// Null when the library is missing or does not have the function, as an older one may not. The
  /// caller vouches for the signature.
  template <typename Function>
  [[nodiscard]] Function* find(const char* function) const noexcept {
    // POSIX promises that an address from dlsym can be turned into a function pointer.
    return reinterpret_cast<Function*>(address(function));
  }

 private:
  struct Close {
    void operator()(void* library) const noexcept;
  };
  [[nodiscard]] void* address(const char* symbol) const noexcept;

  std::unique_ptr<void, Close> library_;
};

}  // namespace copybench
