// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/verification.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/check.hpp"
#include "common/measurement/pattern.hpp"
#include "common/measurement/weyl.hpp"

namespace copybench {
namespace {

constexpr std::byte poison_value{0xa5};
constexpr std::byte canary_value{0xc3};

std::string describe(const Mismatch& mismatch, const std::string& what, std::size_t offset) {
  return what + ": " + std::to_string(mismatch.count) + " wrong bytes, the first at byte " +
         std::to_string(mismatch.first + offset);
}

void require_none(const Mismatch& mismatch, const std::string& what, std::size_t offset = 0) {
  if (mismatch.count != 0) {
    throw VerificationError(describe(mismatch, what, offset));
  }
}

}  // namespace

Verifier::Verifier()
    : stream_(StreamKind::nonblocking), mismatch_(MemoryKind::pinned_mapped, sizeof(Mismatch)) {}

void Verifier::fill(const Region& region, std::uint64_t seed) {
  if (is_host_accessible(region.kind)) {
    fill_pattern({region.data, region.bytes}, seed);
    return;
  }
  launch_fill_pattern(stream_, region.data, region.bytes, seed);
  stream_.sync();
}

void Verifier::set(MemoryKind kind, std::byte* data, std::size_t bytes, std::byte value) {
  if (is_host_accessible(kind)) {
    std::memset(data, std::to_integer<int>(value), bytes);
    return;
  }
  check(cudaMemsetAsync(data, std::to_integer<int>(value), bytes, stream_.get()),
        "cudaMemsetAsync");
  stream_.sync();
}

void Verifier::spoil(const Region& region) {
  set(region.kind, region.data, region.bytes, poison_value);
}

void Verifier::spoil_sparsely(const Region& region, std::uint64_t seed, std::size_t distance) {
  const auto make_wrong = [&](std::size_t offset) {
    region.data[offset] = ~weyl_byte(seed, offset);
  };
  for (std::size_t offset = 0; offset < region.bytes; offset += distance) {
    make_wrong(offset);
  }
  if (region.bytes > 0) {
    make_wrong(region.bytes - 1);
  }
}

void Verifier::poison(const Region& region) {
  spoil(region);
  set(region.kind, region.data + region.bytes, canary_bytes, canary_value);
}

Mismatch Verifier::compare(const Region& region, std::uint64_t seed) {
  if (is_host_accessible(region.kind)) {
    return compare_pattern({region.data, region.bytes}, seed);
  }
  auto* const result = reinterpret_cast<Mismatch*>(mismatch_.data());
  *result = {0, std::numeric_limits<std::uint64_t>::max()};
  launch_compare_pattern(stream_, region.data, region.bytes, seed,
                         reinterpret_cast<Mismatch*>(mismatch_.device_address()));
  stream_.sync();
  return *result;
}

void Verifier::verify_prefix(const Region& region, std::size_t bytes, std::uint64_t seed) {
  verify_unguarded({region.kind, region.data, bytes}, seed);
  const std::size_t rest = region.bytes - bytes;
  const Mismatch behind = on_host(region.kind, region.data + bytes, rest,
                                  [](auto data) { return compare_constant(data, poison_value); });
  require_none(behind, "data past the copy", bytes);
  verify_canaries(region);
}

void Verifier::verify_rows(const Region& region, std::size_t width, std::size_t pitch,
                           std::uint64_t seed) {
  const Mismatch wrong = on_host(region.kind, region.data, region.bytes, [&](auto data) {
    Mismatch found{0, std::numeric_limits<std::uint64_t>::max()};
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (data[i] != (i % pitch < width ? weyl_byte(seed, i) : poison_value)) {
        found.first = found.count++ == 0 ? i : found.first;
      }
    }
    return found;
  });
  require_none(wrong, "copied rows");
  verify_canaries(region);
}

void Verifier::verify_pieces(const Region& region, std::span<const Piece> pieces,
                             std::uint64_t seed) {
  const Mismatch wrong = on_host(region.kind, region.data, region.bytes, [&](auto data) {
    Mismatch found{0, std::numeric_limits<std::uint64_t>::max()};
    const auto note = [&found](const Mismatch& part, std::size_t offset) {
      found.first = found.count == 0 && part.count != 0 ? part.first + offset : found.first;
      found.count += part.count;
    };
    std::size_t done = 0;
    for (const auto& [offset, bytes, source_offset] : pieces) {
      note(compare_constant(data.subspan(done, offset - done), poison_value), done);
      // The pattern from some word on is the pattern whose seed is that word.
      note(compare_pattern(data.subspan(offset, bytes),
                           weyl_word(seed, source_offset / sizeof(std::uint64_t))),
           offset);
      done = offset + bytes;
    }
    note(compare_constant(data.subspan(done), poison_value), done);
    return found;
  });
  require_none(wrong, "copied arrays");
  verify_canaries(region);
}

std::byte Verifier::constant(std::uint64_t seed) {
  constexpr std::byte low_bits{0x3f};
  static_assert((poison_value & ~low_bits) != std::byte{0} &&
                (canary_value & ~low_bits) != std::byte{0});
  return weyl_byte(seed, 0) & low_bits;
}

void Verifier::verify_constant(const Region& region, std::byte value) {
  // Piece by piece: what is fetched from the device takes fresh memory.
  constexpr std::size_t most = std::size_t{16} << 20U;
  for (std::size_t begin = 0; begin < region.bytes; begin += most) {
    const Mismatch wrong =
        on_host(region.kind, region.data + begin, std::min(most, region.bytes - begin),
                [value](auto data) { return compare_constant(data, value); });
    require_none(wrong, "set memory", begin);
  }
  verify_canaries(region);
}

void Verifier::verify_canaries(const Region& region) {
  const Mismatch canaries = on_host(region.kind, region.data + region.bytes, canary_bytes,
                                    [](auto data) { return compare_constant(data, canary_value); });
  require_none(canaries, "canary past the end", region.bytes);
}

Mismatch Verifier::on_host(MemoryKind kind, const std::byte* data, std::size_t bytes,
                           const std::function<Mismatch(std::span<const std::byte>)>& compare) {
  if (is_host_accessible(kind)) {
    return compare({data, bytes});
  }
  std::vector<std::byte> fetched(bytes);
  check(cudaMemcpyAsync(fetched.data(), data, bytes, cudaMemcpyDeviceToHost, stream_.get()),
        "cudaMemcpyAsync");
  stream_.sync();
  return compare(fetched);
}

void Verifier::verify(const Region& region, std::uint64_t seed) {
  verify_prefix(region, region.bytes, seed);
}

void Verifier::verify_unguarded(const Region& region, std::uint64_t seed) {
  require_none(compare(region, seed), "copied data");
}

}  // namespace copybench
