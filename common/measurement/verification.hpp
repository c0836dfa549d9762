// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>

#include "common/cuda/buffer.hpp"
#include "common/cuda/memory_kind.hpp"
#include "common/cuda/stream.hpp"
#include "common/kernels.hpp"

namespace copybench {

/// Bytes that did not arrive, or arrived where none should.
class VerificationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bytes behind the end of every region, which no copy may touch.
inline constexpr std::size_t canary_bytes = 64;

/// A piece of memory that copies leave from or arrive at. `canary_bytes` more belong to it.
struct Region {
  MemoryKind kind;
  std::byte* data;
  std::size_t bytes;
};

/// Bytes of a region that were copied from another place of the region with the pattern.
struct Piece {
  std::size_t offset;
  std::size_t bytes;
  /// Where they were; a multiple of 8.
  std::size_t source_offset;
};

/// Prepares and checks regions of any kind, host or device. Every function has finished its work
/// when it returns, and works in a stream of its own, so a busy stream does not hold it up. Not
/// thread-safe.
class Verifier {
 public:
  Verifier();

  /// Writes the pattern of `seed` to the region.
  void fill(const Region& region, std::uint64_t seed);
  /// Makes every byte of a region wrong, and nothing behind it.
  void spoil(const Region& region);
  /// Of memory of the host, which spoil() would bring into the caches whole: one byte in every
  /// `distance`, and the last, are made other than the pattern of `seed` has them.
  static void spoil_sparsely(const Region& region, std::uint64_t seed, std::size_t distance);
  /// spoil(), and sets the canaries behind the region.
  void poison(const Region& region);
  /// Throws VerificationError unless the first `bytes` bytes hold the pattern of `seed`, everything
  /// behind them is still poison, and the canaries are whole. `region` must have been poisoned.
  void verify_prefix(const Region& region, std::size_t bytes, std::uint64_t seed);
  /// verify_prefix of the whole region.
  void verify(const Region& region, std::uint64_t seed);
  /// Rows of `width` bytes that begin `pitch` bytes apart, copied to where they were in the source:
  /// they hold the pattern, the gaps between them poison. The whole region is fetched and looked at
  /// by one thread, so it must not be large.
  void verify_rows(const Region& region, std::size_t width, std::size_t pitch, std::uint64_t seed);
  /// Pieces in rising order, which do not overlap: they hold their part of the pattern, and all
  /// that is between them poison. The whole region is fetched, so it must not be large.
  void verify_pieces(const Region& region, std::span<const Piece> pieces, std::uint64_t seed);
  /// A value for memory that is set to one: neither poison nor a canary's.
  [[nodiscard]] static std::byte constant(std::uint64_t seed);
  /// Every byte of the region has this value, and the canaries are whole.
  void verify_constant(const Region& region, std::byte value);
  /// The canaries alone, for data that is no pattern.
  void verify_canaries(const Region& region);
  /// The bytes alone, for memory that nobody could poison because the operation itself allocated
  /// it.
  void verify_unguarded(const Region& region, std::uint64_t seed);

 private:
  void set(MemoryKind kind, std::byte* data, std::size_t bytes, std::byte value);
  /// Runs a comparison on the bytes, or on a copy of them when they are on the device.
  [[nodiscard]] Mismatch on_host(
      MemoryKind kind, const std::byte* data, std::size_t bytes,
      const std::function<Mismatch(std::span<const std::byte>)>& compare);
  [[nodiscard]] Mismatch compare(const Region& region, std::uint64_t seed);

  Stream stream_;
  Buffer mismatch_;
};

}  // namespace copybench
