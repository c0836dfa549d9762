// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/pattern.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "common/measurement/weyl.hpp"
#include "common/parallel.hpp"

namespace copybench {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
// Threads pay off from a few megabytes on. A multiple of the word, so that parts begin at a word.
constexpr std::size_t grain = std::size_t{4} << 20U;

void fill_part(std::byte* data, std::size_t begin, std::size_t end, std::uint64_t seed) {
  std::size_t at = begin;
  for (; at + word_bytes <= end; at += word_bytes) {
    const std::uint64_t word = weyl_word(seed, at / word_bytes);
    std::memcpy(data + at, &word, word_bytes);
  }
  for (; at < end; ++at) {
    data[at] = weyl_byte(seed, at);
  }
}

bool part_is_equal(const std::byte* data, std::size_t begin, std::size_t end, std::uint64_t seed) {
  std::uint64_t difference = 0;
  std::size_t at = begin;
  for (; at + word_bytes <= end; at += word_bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, word_bytes);
    difference |= word ^ weyl_word(seed, at / word_bytes);
  }
  for (; at < end; ++at) {
    difference |= static_cast<std::uint64_t>(data[at] ^ weyl_byte(seed, at));
  }
  return difference == 0;
}

void note(Mismatch& mismatch, std::size_t index) {
  mismatch.first = std::min<std::uint64_t>(mismatch.first, index);
  ++mismatch.count;
}

constexpr Mismatch none{0, std::numeric_limits<std::uint64_t>::max()};

}  // namespace

std::uint64_t batch_seed(std::uint64_t batch) {
  // The finalizer of MurmurHash3: every bit of the counter changes about half of the seed's bits.
  std::uint64_t mixed = batch + 1;
  mixed = (mixed ^ mixed >> 33U) * 0xff51afd7ed558ccdU;
  mixed = (mixed ^ mixed >> 33U) * 0xc4ceb9fe1a85ec53U;
  return mixed ^ mixed >> 33U;
}

void fill_pattern(std::span<std::byte> data, std::uint64_t seed) {
  parallel_for(data.size(), grain, [=](std::size_t begin, std::size_t end) {
    fill_part(data.data(), begin, end, seed);
  });
}

Mismatch compare_pattern(std::span<const std::byte> data, std::uint64_t seed) {
  std::atomic<bool> equal{true};
  parallel_for(data.size(), grain, [=, &equal](std::size_t begin, std::size_t end) {
    if (!part_is_equal(data.data(), begin, end, seed)) {
      equal = false;
    }
  });
  Mismatch mismatch = none;
  if (!equal) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (data[i] != weyl_byte(seed, i)) {
        note(mismatch, i);
      }
    }
  }
  return mismatch;
}

Mismatch compare_constant(std::span<const std::byte> data, std::byte value) {
  Mismatch mismatch = none;
  // Equal bytes everywhere means each byte equals its neighbour and the first one is right.
  if (data.empty() ||
      (data[0] == value && std::memcmp(data.data(), data.data() + 1, data.size() - 1) == 0)) {
    return mismatch;
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] != value) {
      note(mismatch, i);
    }
  }
  return mismatch;
}

}  // namespace copybench
