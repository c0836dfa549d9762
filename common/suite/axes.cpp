// SPDX-License-Identifier: Apache-2.0
#include "common/suite/axes.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace copybench {
namespace {

std::vector<std::string> chosen_values(const Axis& axis, Profile profile,
                                       const AxisChoice& choice) {
  const std::vector<std::string>& table = axis.values_in(profile);
  const auto chosen = choice.find(axis.key);
  if (chosen == choice.end()) {
    return table;
  }
  if (is_numeric(axis)) {
    return chosen->second;
  }
  std::vector<std::string> kept;
  std::ranges::copy_if(table, std::back_inserter(kept), [&](const auto& value) {
    return std::ranges::find(chosen->second, value) != chosen->second.end();
  });
  return kept;
}

}  // namespace

const std::vector<std::string>& Axis::values_in(Profile profile) const {
  return profile == Profile::quick && !quick_values.empty() ? quick_values : values;
}

AxisValues::AxisValues(std::string family, std::vector<std::pair<std::string, std::string>> values)
    : family_(std::move(family)), values_(std::move(values)) {}

std::string AxisValues::name() const {
  std::string name = family_;
  for (const auto& [key, value] : values_) {
    name.append("/").append(key).append(":").append(value);
  }
  return name;
}

const std::string& AxisValues::at(std::string_view key) const {
  const auto found =
      std::ranges::find_if(values_, [&](const auto& value) { return value.first == key; });
  if (found == values_.end()) {
    throw std::out_of_range(family_ + " has no axis " + std::string(key));
  }
  return found->second;
}

std::size_t AxisValues::number(std::string_view key) const { return std::stoull(at(key)); }

bool is_numeric(const Axis& axis) {
  return std::ranges::all_of(axis.values, [](const std::string& value) {
    return !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
  });
}

std::vector<AxisValues> expand(const std::string& family, const Sweep& sweep, Profile profile,
                               const AxisChoice& choice) {
  if (profile == Profile::quick && !sweep.in_quick) {
    return {};
  }
  using Place = std::vector<std::pair<std::string, std::string>>;
  std::vector<Place> places{{}};
  for (const Axis& axis : sweep.axes) {
    std::vector<Place> longer;
    for (const Place& place : places) {
      for (const std::string& value : chosen_values(axis, profile, choice)) {
        longer.push_back(place);
        longer.back().emplace_back(axis.key, value);
      }
    }
    places = std::move(longer);
  }
  std::vector<AxisValues> cases;
  cases.reserve(places.size());
  for (Place& place : places) {
    cases.emplace_back(family, std::move(place));
  }
  return cases;
}

}  // namespace copybench
