// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/kernel_name.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>

namespace copybench {

std::string short_kernel_name(const char* mangled) {
  if (mangled == nullptr) {
    return "kernel";
  }
  struct Free {
    void operator()(char* text) const noexcept { std::free(text); }
  };
  int status = 0;
  const std::unique_ptr<char, Free> whole(abi::__cxa_demangle(mangled, nullptr, nullptr, &status));
  if (whole == nullptr) {
    return mangled;
  }
  std::string name = whole.get();
  // Parentheses and brackets of the namespace without a name are not those of arguments.
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) {
    name.erase(at, unnamed.size());
  }
  name.resize(std::min(name.find_first_of("(<"), name.size()));
  // A template's name begins with the type that it returns.
  const std::size_t last = name.find_last_of(": ");
  return last == std::string::npos || last + 1 == name.size() ? name : name.substr(last + 1);
}

}  // namespace copybench
