// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace copybench {

std::string decimal(double value, int digits) {
  std::array<char, 400> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::fixed, digits);
  return {text.data(), end};
}

std::string decimal_microseconds(Nanoseconds time, int digits) {
  return decimal(std::chrono::duration<double, std::micro>(time).count(), digits);
}

std::string readable_microseconds(Nanoseconds time) {
  using std::chrono_literals::operator""us;
  std::string text = decimal_microseconds(time, time < 100us ? 1 : 0);
  constexpr std::size_t group = 3;
  for (std::size_t end = std::min(text.find('.'), text.size()); end > group;) {
    end -= group;
    text.insert(end, 1, ',');
  }
  return text;
}

}  // namespace copybench
