// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/cuda/check.hpp"
#include "common/cuda/memory_kind.hpp"
#include "common/named_enum.hpp"

namespace copybench {

inline constexpr std::array<MemoryKind, memory_kind_names.size()> all_memory_kinds{
    MemoryKind::pageable,
    MemoryKind::pageable_thp,
    MemoryKind::pageable_file,
    MemoryKind::pageable_stack,
    MemoryKind::pinned,
    MemoryKind::pinned_interior,
    MemoryKind::pinned_write_combined,
    MemoryKind::pinned_mapped,
    MemoryKind::registered,
    MemoryKind::managed,
    MemoryKind::device};

/// The last part of the name of a test that runs for every memory kind.
inline std::string kind_name(const testing::TestParamInfo<MemoryKind>& tested) {
  return std::string(name_of(tested.param, memory_kind_names));
}

/// Copies between memory of any kinds; done when it returns.
inline void copy_any(std::byte* destination, const std::byte* source, std::size_t bytes) {
  check(cudaMemcpy(destination, source, bytes, cudaMemcpyDefault), "cudaMemcpy");
  check(cudaStreamSynchronize(cudaStreamLegacy), "cudaStreamSynchronize");
}

inline std::byte read_byte(const std::byte* place) {
  std::byte value{};
  copy_any(&value, place, 1);
  return value;
}

inline void write_byte(std::byte* place, std::byte value) { copy_any(place, &value, 1); }

}  // namespace copybench
