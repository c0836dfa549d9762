// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/ping_pong_model.hpp"

#include <algorithm>
#include <stdexcept>

namespace copybench {

PingPongModel::PingPongModel(std::size_t elements)
    : host_(elements, start_value),
      halves_{std::vector<double>(elements, start_value),
              std::vector<double>(elements, start_value)} {}

const std::vector<double>& PingPongModel::step(std::size_t k, std::size_t copied) {
  if (copied > host_.size()) {
    throw std::out_of_range("more elements copied than there are");
  }
  std::vector<double>& half = halves_.at(k % halves_.size());
  for (std::size_t i = 0; i < half.size(); ++i) {
    half[i] += 1.0 + (2.0 + static_cast<double>(k)) * static_cast<double>(i);
  }
  std::copy_n(half.begin(), copied, host_.begin());
  return host_;
}

}  // namespace copybench
