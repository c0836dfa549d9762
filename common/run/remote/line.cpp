// SPDX-License-Identifier: Apache-2.0
#include "common/run/remote/line.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace copybench {
namespace {

constexpr char separator = ' ';

// What stands for a character behind a backslash. An empty word is a backslash and an "e", because
// two separators in a row would be hard to see.
constexpr std::array<std::pair<char, char>, 3> escapes{{{'\\', '\\'}, {' ', 's'}, {'\n', 'n'}}};
constexpr std::string_view empty_word = "\\e";

std::string escape(std::string_view word) {
  if (word.empty()) {
    return std::string(empty_word);
  }
  std::string text;
  for (const char c : word) {
    const auto* const found = std::ranges::find(escapes, c, &std::pair<char, char>::first);
    if (found == escapes.end()) {
      text += c;
    } else {
      text.append({'\\', found->second});
    }
  }
  return text;
}

std::optional<std::string> unescape(std::string_view text) {
  if (text.empty() || text.find('\n') != std::string_view::npos) {
    return std::nullopt;
  }
  std::string word;
  for (std::size_t i = 0; text != empty_word && i < text.size(); ++i) {
    if (text[i] != '\\') {
      word += text[i];
      continue;
    }
    ++i;
    const char code = i < text.size() ? text[i] : '\0';
    const auto* const found = std::ranges::find(escapes, code, &std::pair<char, char>::second);
    if (found == escapes.end()) {
      return std::nullopt;
    }
    word += found->first;
  }
  return word;
}

}  // namespace

std::string encode(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    line += line.empty() ? "" : std::string(1, separator);
    line += escape(word);
  }
  return line + '\n';
}

std::optional<Words> decode(std::string_view line) {
  Words words;
  while (true) {
    const std::size_t end = std::min(line.find(separator), line.size());
    std::optional<std::string> word = unescape(line.substr(0, end));
    if (!word) {
      return std::nullopt;
    }
    words.push_back(std::move(*word));
    if (end == line.size()) {
      return words;
    }
    line.remove_prefix(end + 1);
  }
}

}  // namespace copybench
