// SPDX-License-Identifier: Apache-2.0
#include "common/environment/shared_library.hpp"

#include <dlfcn.h>

namespace copybench {

SharedLibrary::SharedLibrary(const char* name) noexcept
    : library_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

void* SharedLibrary::address(const char* symbol) const noexcept {
  return library_ == nullptr ? nullptr : dlsym(library_.get(), symbol);
}

void SharedLibrary::Close::operator()(void* library) const noexcept { (void)dlclose(library); }

}  // namespace copybench
