// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/stream.hpp"
#include "common/host_device.hpp"

// Launch functions of every kernel of the suite. This header is the seam between host code, which
// any compiler builds and any runtime can serve, and device code. All of them only enqueue; they
// throw CudaError when the launch is refused. Times are measured on the device by its own clock.

namespace copybench {

/// State of a flag gate, in host memory mapped into the device. The host writes `open`, the device
/// writes the rest.
struct GateFlags {
  std::uint32_t open;
  std::uint32_t started;
  std::uint32_t timed_out;
};

/// What a device-side comparison found: how many bytes differ, and the lowest differing index.
struct Mismatch {
  std::uint64_t count;
  std::uint64_t first;
};

/// One array of many to be copied: where it goes, where it is, and how long it is. In device code
/// both pointers are device addresses.
struct ArrayCopy {
  std::byte* destination;
  const std::byte* source;
  std::size_t bytes;
};

/// Device memory with a name, for the calls that copy to symbols.
inline constexpr std::size_t symbol_bytes = (std::size_t{64} << 10U) + 64;

/// That memory, as cudaMemcpyToSymbolAsync and cudaGetSymbolAddress want it named.
[[nodiscard]] const void* symbol();

/// Makes the driver load every kernel now. Loading one later takes a context lock and waits for the
/// device, which would deadlock against a closed gate.
void load_kernels();

/// Kernels that load_kernels() leaves alone, to be launched for the first time in a measurement.
inline constexpr std::size_t cold_kernels = 64;

/// Launches the cold kernel of this number, which does nothing.
void launch_cold_kernel(StreamView stream, std::size_t number);

/// Spins until flags->open is non-zero, or sets flags->timed_out and ends after `timeout_ns`.
/// `flags` is a device address.
void launch_flag_gate(StreamView stream, GateFlags* flags, std::uint64_t timeout_ns);

/// The same, and then writes `size` to *destination: a producer whose end the host decides.
void launch_gated_size_producer(StreamView stream, GateFlags* flags, std::uint64_t timeout_ns,
                                std::int32_t size, std::int32_t* destination);

/// A size and the number of the request that it answers, in one word of mapped host memory.
[[nodiscard]] COPYBENCH_HOST_DEVICE constexpr std::uint64_t published_word(std::int32_t size,
                                                                           std::uint32_t number) {
  return (std::uint64_t{number} << 32U) | static_cast<std::uint32_t>(size);
}
[[nodiscard]] constexpr std::int32_t published_size(std::uint64_t word) {
  return static_cast<std::int32_t>(word & UINT32_MAX);
}
[[nodiscard]] constexpr std::uint32_t published_number(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32U);
}

/// Stores published_word(*size, number) at `word`, the device address of mapped host memory, as a
/// release for the whole system: a host thread that loads it with acquire sees all that the device
/// wrote before.
void launch_publish_size(StreamView stream, const std::int32_t* size, std::uint64_t* word,
                         std::uint32_t number);

/// Keeps the stream busy for `duration_ns`.
void launch_timed_gate(StreamView stream, std::uint64_t duration_ns);

/// Writes the pattern of `seed` (see pattern.hpp) to `bytes` bytes at `destination`.
void launch_fill_pattern(StreamView stream, std::byte* destination, std::size_t bytes,
                         std::uint64_t seed);

/// Compares `bytes` bytes with the pattern of `seed`. *result must be {0, UINT64_MAX} before.
void launch_compare_pattern(StreamView stream, const std::byte* data, std::size_t bytes,
                            std::uint64_t seed, Mismatch* result);

/// Copies `bytes` bytes, of which one side may be host memory by its device address: the kernel
/// does what the copy engine would.
void launch_copy(StreamView stream, std::byte* destination, const std::byte* source,
                 std::size_t bytes);

/// values[i] *= factor, each thread having first burnt `clock_ticks` ticks of its multiprocessor:
/// the kernel of the first question, 256 threads a block.
void launch_scale(StreamView stream, float* values, std::size_t count, float factor,
                  std::int64_t clock_ticks);

/// values[i] += 1 + (2 + k) * i for every i < count; one thread also writes `size` to *destination
/// and then keeps the kernel alive for `sleep_ns`: the kernel of the third question, 256 threads a
/// block.
void launch_grow(StreamView stream, double* values, std::size_t count, int k, std::int32_t size,
                 std::int32_t* destination, std::uint64_t sleep_ns);

/// Copies `count` arrays, at least one, a block of threads each: scatters them from one block of
/// memory, gathers them into one, or reads or writes mapped host memory, as the table says, which
/// the device has to reach. Arrays may begin and end at any byte, and must not overlap; those whose
/// ends are equally aligned move 16 bytes at a time.
void launch_copy_arrays(StreamView stream, const ArrayCopy* arrays, std::size_t count);

}  // namespace copybench
