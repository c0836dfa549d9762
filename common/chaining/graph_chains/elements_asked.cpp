// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/graph_chains/elements_asked.hpp"

#include <stdexcept>
#include <string>

namespace copybench {

std::size_t elements_asked(const ChainRequest& request) {
  const auto elements = static_cast<std::size_t>(*request.host_size);
  if (elements > request.capacity) {
    throw std::out_of_range("the device asks for " + std::to_string(*request.host_size) +
                            " elements, more than the capacity of " +
                            std::to_string(request.capacity));
  }
  return elements;
}

}  // namespace copybench
