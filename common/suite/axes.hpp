// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace copybench {

/// quick: every family and every verdict in two minutes, for tracking regressions. full:
/// everything.
enum class Profile { quick, full };

/// One dimension of a sweep: "mem" with the values "pageable" and "pinned".
struct Axis {
  std::string key;
  std::vector<std::string> values;
  /// The values of the quick profile where they are fewer. Must be among `values`.
  std::vector<std::string> quick_values{};

  [[nodiscard]] const std::vector<std::string>& values_in(Profile profile) const;
};

/// A curated product of axes. All sweeps of a family have the same axes in the same order.
struct Sweep {
  /// The question that the sweep answers, for people.
  std::string question;
  std::vector<Axis> axes;
  bool in_quick = true;
};

/// The place of one case on every axis of its family.
class AxisValues {
 public:
  AxisValues(std::string family, std::vector<std::pair<std::string, std::string>> values);

  /// "family/key:value/key:value", the name of the case.
  [[nodiscard]] std::string name() const;
  /// Throws std::out_of_range for a key that the family does not have: a fault in the program.
  [[nodiscard]] const std::string& at(std::string_view key) const;
  /// A numeric axis such as bytes.
  [[nodiscard]] std::size_t number(std::string_view key) const;

 private:
  std::string family_;
  std::vector<std::pair<std::string, std::string>> values_;
};

/// What the user narrowed the axes to: key -> values. On a numeric axis the values replace those of
/// the tables, so that any size can be measured; on the others they select from them.
using AxisChoice = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Whether a key's values are numbers: bytes, elements and the like.
[[nodiscard]] bool is_numeric(const Axis& axis);

/// All cases of a sweep in a profile, in the order of the table.
[[nodiscard]] std::vector<AxisValues> expand(const std::string& family, const Sweep& sweep,
                                             Profile profile, const AxisChoice& choice);

}  // namespace copybench
