// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/size_source.hpp"

#include <algorithm>
#include <stdexcept>

namespace copybench {

// Of the numbers themselves, not by a distribution of the standard library, which may differ.
std::size_t SizeSource::next() {
  constexpr std::size_t one_in = 16;
  switch (distribution_) {
    case SizeDistribution::fixed:
      return most_;
    case SizeDistribution::uniform:
      return random_() % (most_ + 1);
    case SizeDistribution::mostly_small:
      return random_() % one_in == 0 ? most_ : small();
  }
  throw std::invalid_argument("unknown distribution of sizes");
}

std::size_t SizeSource::guess() const {
  switch (distribution_) {
    case SizeDistribution::fixed:
      return most_;
    case SizeDistribution::uniform:
      return most_ / 2;
    case SizeDistribution::mostly_small:
      return small();
  }
  throw std::invalid_argument("unknown distribution of sizes");
}

std::size_t SizeSource::small() const {
  return std::min<std::size_t>(most_, std::max<std::size_t>(1, most_ / 1000));
}

}  // namespace copybench
