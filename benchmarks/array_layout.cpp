// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/array_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>

namespace copybench {
namespace {

constexpr std::size_t alignment = 256;

std::size_t stride(std::size_t bytes) { return (bytes / alignment + 1) * alignment; }

// The same in every run and on every machine, which std::shuffle does not promise.
std::vector<std::size_t> shuffled_places(std::size_t bytes, std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) {
    places[i] = i * stride(bytes);
  }
  std::mt19937_64 random(seed);
  for (std::size_t left = count; left > 1; --left) {
    std::swap(places[left - 1], places[random() % left]);
  }
  return places;
}

}  // namespace

ArrayLayout::ArrayLayout(std::size_t bytes, std::size_t count)
    : bytes_(bytes),
      sources_(shuffled_places(bytes, count, 1)),
      destinations_(shuffled_places(bytes, count, 2)) {}

std::size_t ArrayLayout::extent(std::size_t bytes, std::size_t count) {
  return count * stride(bytes);
}

std::vector<ArrayCopy> ArrayLayout::copies(std::byte* destination, const std::byte* source) const {
  std::vector<ArrayCopy> copies;
  copies.reserve(sources_.size());
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    copies.push_back({destination + destinations_[i], source + sources_[i], bytes_});
  }
  return copies;
}

std::vector<Piece> ArrayLayout::pieces() const {
  std::vector<Piece> pieces;
  pieces.reserve(sources_.size());
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    pieces.push_back({destinations_[i], bytes_, sources_[i]});
  }
  std::ranges::sort(pieces, {}, &Piece::offset);
  return pieces;
}

}  // namespace copybench
