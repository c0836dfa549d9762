// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/elements_asked.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace copybench {

bool has_room(const ChainRequest& request) noexcept {
  const std::int32_t size = *request.host_size;
  return size >= 0 && std::cmp_less_equal(size, request.capacity);
}

std::size_t elements_asked(const ChainRequest& request) {
  if (!has_room(request)) {
    throw std::out_of_range("the device asks for " + std::to_string(*request.host_size) +
                            " elements where there is room for " +
                            std::to_string(request.capacity));
  }
  return static_cast<std::size_t>(*request.host_size);
}

}  // namespace copybench
