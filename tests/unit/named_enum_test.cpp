// SPDX-License-Identifier: Apache-2.0
#include "common/named_enum.hpp"

#include <array>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <gtest/gtest.h>

#include "common/chaining/chain.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/memory_kind.hpp"
#include "common/cuda/stream.hpp"
#include "common/staging/array_transfer.hpp"

namespace copybench {
namespace {

enum class Colour { red, green, dark_green };
constexpr std::array<std::string_view, 3> colour_names{"red", "green", "dark_green"};

TEST(NameOf, StandsAtTheValuesPlace) {
  EXPECT_EQ(name_of(Colour::red, colour_names), "red");
  EXPECT_EQ(name_of(Colour::dark_green, colour_names), "dark_green");
}

TEST(NameOf, ThrowsForAValueWithoutAName) {
  EXPECT_THROW((void)name_of(static_cast<Colour>(3), colour_names), std::out_of_range);
}

TEST(ParseEnum, FindsTheValueOfEveryName) {
  EXPECT_EQ(parse_enum<Colour>("red", colour_names), Colour::red);
  EXPECT_EQ(parse_enum<Colour>("green", colour_names), Colour::green);
  EXPECT_EQ(parse_enum<Colour>("dark_green", colour_names), Colour::dark_green);
}

TEST(ParseEnum, WantsTheWholeNameInItsSpelling) {
  for (const char* const name : {"", "gree", "greens", "Green", " green", "dark-green"}) {
    EXPECT_EQ(parse_enum<Colour>(name, colour_names), std::nullopt) << name;
  }
}

static_assert(name_of(Colour::green, colour_names) == "green");
static_assert(parse_enum<Colour>("green", colour_names) == Colour::green);

// A name that slipped one place would be measured under another one's label.
TEST(Vocabulary, NamesMatchTheEnumerators) {
  EXPECT_EQ(name_of(MemoryKind::pageable, memory_kind_names), "pageable");
  EXPECT_EQ(name_of(MemoryKind::pageable_thp, memory_kind_names), "pageable_thp");
  EXPECT_EQ(name_of(MemoryKind::pinned, memory_kind_names), "pinned");
  EXPECT_EQ(name_of(MemoryKind::pinned_write_combined, memory_kind_names), "pinned_write_combined");
  EXPECT_EQ(name_of(MemoryKind::pinned_mapped, memory_kind_names), "pinned_mapped");
  EXPECT_EQ(name_of(MemoryKind::registered, memory_kind_names), "registered");
  EXPECT_EQ(name_of(MemoryKind::managed, memory_kind_names), "managed");
  EXPECT_EQ(name_of(MemoryKind::device, memory_kind_names), "device");

  EXPECT_EQ(name_of(Direction::h2d, direction_names), "h2d");
  EXPECT_EQ(name_of(Direction::d2h, direction_names), "d2h");
  EXPECT_EQ(name_of(Direction::d2d, direction_names), "d2d");
  EXPECT_EQ(name_of(Direction::h2h, direction_names), "h2h");

  EXPECT_EQ(name_of(StreamKind::legacy, stream_kind_names), "legacy");
  EXPECT_EQ(name_of(StreamKind::per_thread, stream_kind_names), "per_thread");
  EXPECT_EQ(name_of(StreamKind::blocking, stream_kind_names), "blocking");
  EXPECT_EQ(name_of(StreamKind::nonblocking, stream_kind_names), "nonblocking");

  EXPECT_EQ(name_of(ArrayStrategy::driver_pageable, array_strategy_names), "driver_pageable");
  EXPECT_EQ(name_of(ArrayStrategy::driver_pageable_sync, array_strategy_names),
            "driver_pageable_sync");
  EXPECT_EQ(name_of(ArrayStrategy::driver_pinned, array_strategy_names), "driver_pinned");
  EXPECT_EQ(name_of(ArrayStrategy::pin_copy, array_strategy_names), "pin_copy");
  EXPECT_EQ(name_of(ArrayStrategy::register_in_place, array_strategy_names), "register_in_place");
  EXPECT_EQ(name_of(ArrayStrategy::staged_single, array_strategy_names), "staged_single");
  EXPECT_EQ(name_of(ArrayStrategy::staged_double_buffered, array_strategy_names),
            "staged_double_buffered");
  EXPECT_EQ(name_of(ArrayStrategy::staged_parallel, array_strategy_names), "staged_parallel");
  EXPECT_EQ(name_of(ArrayStrategy::mapped_kernel, array_strategy_names), "mapped_kernel");
  EXPECT_EQ(name_of(ArrayStrategy::managed_prefetch, array_strategy_names), "managed_prefetch");
  EXPECT_EQ(name_of(ArrayStrategy::automatic, array_strategy_names), "auto");

  EXPECT_EQ(name_of(ChainStrategy::stale_arguments, chain_strategy_names), "stale_arguments");
  EXPECT_EQ(name_of(ChainStrategy::callback_illegal, chain_strategy_names), "callback_illegal");
  EXPECT_EQ(name_of(ChainStrategy::stream_sync, chain_strategy_names), "stream_sync");
  EXPECT_EQ(name_of(ChainStrategy::host_func_worker, chain_strategy_names), "host_func_worker");
  EXPECT_EQ(name_of(ChainStrategy::copy_capacity, chain_strategy_names), "copy_capacity");
  EXPECT_EQ(name_of(ChainStrategy::device_copy_kernel, chain_strategy_names), "device_copy_kernel");
  EXPECT_EQ(name_of(ChainStrategy::graph_switch, chain_strategy_names), "graph_switch");
  EXPECT_EQ(name_of(ChainStrategy::graph_while_tiles, chain_strategy_names), "graph_while_tiles");
  EXPECT_EQ(name_of(ChainStrategy::graph_update, chain_strategy_names), "graph_update");
  EXPECT_EQ(name_of(ChainStrategy::graph_device_update, chain_strategy_names),
            "graph_device_update");
}

TEST(Vocabulary, DirectionsAreCudas) {
  EXPECT_EQ(memcpy_kind(Direction::h2d), cudaMemcpyHostToDevice);
  EXPECT_EQ(memcpy_kind(Direction::d2h), cudaMemcpyDeviceToHost);
  EXPECT_EQ(memcpy_kind(Direction::d2d), cudaMemcpyDeviceToDevice);
  EXPECT_EQ(memcpy_kind(Direction::h2h), cudaMemcpyHostToHost);
}

TEST(Vocabulary, OnlyDeviceMemoryIsOutOfTheHostsReach) {
  for (std::size_t i = 0; i < memory_kind_names.size(); ++i) {
    const std::string_view name = memory_kind_names.at(i);
    EXPECT_EQ(is_host_accessible(static_cast<MemoryKind>(i)), name != "device") << name;
  }
}

}  // namespace
}  // namespace copybench
