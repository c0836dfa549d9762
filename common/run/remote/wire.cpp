// SPDX-License-Identifier: Apache-2.0
#include "common/run/remote/wire.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "common/environment/cpu_list.hpp"
#include "common/environment/text.hpp"

namespace copybench {
namespace {

// Stands for what is missing.
constexpr std::string_view nothing = "-";

// The shortest text that reads back as the same number.
template <typename Number>
std::string to_text(Number number) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end};
}

std::string to_text(std::optional<Nanoseconds> duration) {
  return duration ? to_text(duration->count()) : std::string(nothing);
}

}  // namespace

void put_number(Words& words, std::size_t number) { words.push_back(to_text(number)); }

void put_flags(Words& words, std::optional<unsigned> flags) {
  words.push_back(flags ? to_text(*flags) : std::string(nothing));
}

void put_cpus(Words& words, std::span<const int> cpus) {
  std::string text;
  for (const int cpu : cpus) {
    text += (text.empty() ? "" : ",") + to_text(cpu);
  }
  words.push_back(std::move(text));
}

void put_shape(Words& words, const Shape& shape) {
  for (const std::size_t number : {shape.tracked, shape.least_samples, shape.most_samples}) {
    put_number(words, number);
  }
  words.insert(words.end(), shape.figures.begin(), shape.figures.end());
}

void put_durations(Words& words, std::span<const Nanoseconds> durations) {
  for (const Nanoseconds duration : durations) {
    words.push_back(to_text(duration.count()));
  }
}

void put_summaries(Words& words, std::span<const Summary> summaries) {
  for (const Summary& summary : summaries) {
    put_number(words, summary.samples);
    words.push_back(to_text(summary.median.count()));
    words.push_back(to_text(summary.p90));
    words.push_back(to_text(summary.p99));
    words.push_back(to_text(summary.max.count()));
  }
}

void put_findings(Words& words, const Findings& findings) {
  words.push_back(findings.label);
  for (const auto& [name, value] : findings.counters) {
    words.push_back(name);
    words.push_back(to_text(value));
  }
}

template <typename Number>
Number WordReader::parse() {
  const std::string& text = word();
  const std::optional<Number> number = parse_number<Number>(text);
  if (!number) {
    throw WireError("\"" + text + "\" is no number");
  }
  return *number;
}

std::optional<Nanoseconds> WordReader::maybe_duration() {
  if (!left_.empty() && left_.front() == nothing) {
    left_ = left_.subspan(1);
    return std::nullopt;
  }
  return Nanoseconds(parse<Nanoseconds::rep>());
}

const std::string& WordReader::word() {
  if (left_.empty()) {
    throw WireError("the line is too short");
  }
  const std::string& first = left_.front();
  left_ = left_.subspan(1);
  return first;
}

std::size_t WordReader::number() { return parse<std::size_t>(); }

std::optional<unsigned> WordReader::flags() {
  if (!left_.empty() && left_.front() == nothing) {
    left_ = left_.subspan(1);
    return std::nullopt;
  }
  return parse<unsigned>();
}

std::vector<int> WordReader::cpus() {
  const std::string& text = word();
  if (text.empty()) {
    return {};
  }
  std::optional<std::vector<int>> cpus = parse_cpu_list(text);
  if (!cpus) {
    throw WireError("\"" + text + "\" is no list of processors");
  }
  return *cpus;
}

Shape WordReader::shape() {
  Shape shape;
  shape.tracked = number();
  shape.least_samples = number();
  shape.most_samples = number();
  shape.figures.assign(left_.begin(), left_.end());
  left_ = {};
  if (shape.tracked >= shape.figures.size()) {
    throw WireError("the tracked figure is none of the figures");
  }
  return shape;
}

void WordReader::durations(std::span<Nanoseconds> durations) {
  for (Nanoseconds& duration : durations) {
    duration = Nanoseconds(parse<Nanoseconds::rep>());
  }
  end();
}

std::vector<Summary> WordReader::summaries() {
  std::vector<Summary> summaries;
  while (!left_.empty()) {
    Summary& summary = summaries.emplace_back();
    summary.samples = number();
    summary.median = Nanoseconds(parse<Nanoseconds::rep>());
    summary.p90 = maybe_duration();
    summary.p99 = maybe_duration();
    summary.max = Nanoseconds(parse<Nanoseconds::rep>());
  }
  return summaries;
}

Findings WordReader::findings() {
  Findings findings;
  findings.label = word();
  while (!left_.empty()) {
    const std::string& name = word();
    findings.counters[name] = parse<double>();
  }
  return findings;
}

void WordReader::end() const {
  if (!left_.empty()) {
    throw WireError("the line is too long");
  }
}

AxisValues parse_case_name(std::string_view name) {
  const std::vector<std::string_view> parts = split(name, '/');
  if (parts.empty()) {
    throw WireError("a case without a name");
  }
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string_view part : std::span(parts).subspan(1)) {
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos) {
      throw WireError("\"" + std::string(part) + "\" is no value of an axis");
    }
    values.emplace_back(part.substr(0, colon), part.substr(colon + 1));
  }
  return {std::string(parts.front()), std::move(values)};
}

}  // namespace copybench
