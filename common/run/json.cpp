// SPDX-License-Identifier: Apache-2.0
#include "common/run/json.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace copybench {

std::string json_string(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
      quoted += letter;
    } else if (code < 0x20) {
      quoted += "\\u00";
      quoted += digits[code >> 4U];
      quoted += digits[code & 15U];
    } else {
      quoted += letter;
    }
  }
  return quoted + '"';
}

std::string json_number(double value) {
  if (!std::isfinite(value)) {
    return "null";
  }
  std::array<char, 32> text{};
  constexpr int digits_after_point = 16;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::scientific, digits_after_point);
  return {text.data(), end};
}

}  // namespace copybench
