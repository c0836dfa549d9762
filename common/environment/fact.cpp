// SPDX-License-Identifier: Apache-2.0
#include "common/environment/fact.hpp"

#include <array>

#include "common/environment/text.hpp"

namespace copybench {
namespace {

constexpr std::string_view ellipsis = "...";

unsigned byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

bool is_continuation(std::string_view text, std::size_t index) {
  return index < text.size() && (byte_at(text, index) & 0xC0U) == 0x80U;
}

// Length of the well-formed UTF-8 sequence that starts at `index`, 0 if there is none. The bounds
// on the second byte are those of table 3-7 of the Unicode standard: no overlong forms, no
// surrogates.
std::size_t sequence_length(std::string_view text, std::size_t index) {
  struct Form {
    unsigned first_low, first_high, second_low, second_high;
    std::size_t length;
  };
  static constexpr std::array<Form, 8> forms{{{0x00, 0x7F, 0x00, 0x00, 1},
                                              {0xC2, 0xDF, 0x80, 0xBF, 2},
                                              {0xE0, 0xE0, 0xA0, 0xBF, 3},
                                              {0xE1, 0xEC, 0x80, 0xBF, 3},
                                              {0xED, 0xED, 0x80, 0x9F, 3},
                                              {0xEE, 0xEF, 0x80, 0xBF, 3},
                                              {0xF0, 0xF0, 0x90, 0xBF, 4},
                                              {0xF1, 0xF4, 0x80, 0xBF, 4}}};
  const unsigned first = byte_at(text, index);
  for (const Form& form : forms) {
    if (first < form.first_low || first > form.first_high) {
      continue;
    }
    for (std::size_t i = 1; i < form.length; ++i) {
      if (!is_continuation(text, index + i)) {
        return 0;
      }
    }
    if (form.length == 1) {
      return 1;
    }
    const unsigned second = byte_at(text, index + 1);
    const bool beyond_unicode = first == 0xF4 && second > 0x8F;
    return second >= form.second_low && second <= form.second_high && !beyond_unicode ? form.length
                                                                                      : 0;
  }
  return 0;
}

}  // namespace

std::string clean_value(std::string_view text) {
  std::string clean;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0) {
      clean += '?';
      ++i;
      continue;
    }
    const unsigned first = byte_at(text, i);
    const bool control =
        first < 0x20 || first == 0x7F || (first == 0xC2 && byte_at(text, i + 1) < 0xA0);
    clean += control ? std::string_view(" ") : text.substr(i, length);
    i += length;
  }
  clean = std::string(trim(clean));
  if (clean.empty()) {
    return std::string(unknown_value);
  }
  if (clean.size() > longest_fact_value) {
    std::size_t end = longest_fact_value - ellipsis.size();
    while (end > 0 && is_continuation(clean, end)) {
      --end;
    }
    clean.resize(end);
    clean += ellipsis;
  }
  return clean;
}

void add_fact(Facts& facts, std::string_view key, const std::optional<std::string>& value) {
  facts.push_back({std::string(key), clean_value(value.value_or(std::string(unknown_value)))});
}

}  // namespace copybench
