// SPDX-License-Identifier: Apache-2.0
// Every call for a copy moves its bytes, all of them and no others.
#include "common/cuda/copy_api.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "common/cuda/check.hpp"
#include "common/kernels.hpp"
#include "common/measurement/gate.hpp"
#include "common/measurement/verification.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

constexpr std::array all_copy_apis{
    CopyApi::memcpy,
    CopyApi::memcpy_async,
    CopyApi::memcpy_2d,
    CopyApi::memcpy_2d_async,
    CopyApi::memcpy_3d_async,
    CopyApi::memcpy_to_symbol_async,
    CopyApi::memcpy_batch_stream,
    CopyApi::memcpy_batch_during_call,
    CopyApi::memcpy_batch_any,
    CopyApi::graph_launch,
};
static_assert(all_copy_apis.size() == copy_api_names.size());

struct CopyCase {
  CopyApi api;
  Direction direction;
  MemoryKind host;
};

std::string name_of_case(const CopyCase& tested) {
  return std::string(name_of(tested.api, copy_api_names)) + "_" +
         std::string(name_of(tested.direction, direction_names)) + "_" +
         std::string(name_of(tested.host, memory_kind_names));
}
std::ostream& operator<<(std::ostream& out, const CopyCase& tested) {
  return out << name_of_case(tested);
}

std::vector<CopyCase> copy_cases() {
  std::vector<CopyCase> cases;
  for (const CopyApi api : all_copy_apis) {
    for (const Direction direction : {Direction::h2d, Direction::d2h, Direction::d2d}) {
      // A symbol is in device memory.
      if (api == CopyApi::memcpy_to_symbol_async && direction == Direction::d2h) {
        continue;
      }
      for (const MemoryKind host :
           {MemoryKind::pageable, MemoryKind::pinned, MemoryKind::managed}) {
        if (direction != Direction::d2d || host == MemoryKind::pinned) {
          cases.push_back({api, direction, host});
        }
      }
    }
  }
  return cases;
}

int driver_version() {
  int version = 0;
  check(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  return version;
}

bool is_synchronous(CopyApi api) { return api == CopyApi::memcpy || api == CopyApi::memcpy_2d; }

class CopyBy : public testing::TestWithParam<CopyCase> {
 protected:
  void SetUp() override {
    if (!has_copy_api(GetParam().api, driver_version())) {
      GTEST_SKIP() << "needs CUDA 12.8";
    }
  }

  static MemoryKind source_kind() {
    return GetParam().direction == Direction::h2d ? GetParam().host : MemoryKind::device;
  }
  static MemoryKind destination_kind() {
    return GetParam().direction == Direction::d2h ? GetParam().host : MemoryKind::device;
  }
  [[nodiscard]] StreamView stream() const {
    return is_synchronous(GetParam().api) ? StreamView(cudaStreamLegacy) : stream_.view();
  }

  Stream stream_{StreamKind::nonblocking};
  Verifier verifier_;
};

// Memory on both sides of a copy of so many bytes.
struct Ends {
  Ends(const CopyCase& tested, MemoryKind from, MemoryKind to, std::size_t bytes)
      : layout(copy_layout(tested.api, bytes)),
        source_memory(from, layout.extent() + canary_bytes),
        destination_memory(to, layout.extent() + canary_bytes),
        source{from, source_memory.data(), layout.extent()},
        destination{to,
                    tested.api == CopyApi::memcpy_to_symbol_async ? symbol_address()
                                                                  : destination_memory.data(),
                    layout.extent()} {}

  CopyLayout layout;
  Buffer source_memory;
  Buffer destination_memory;
  Region source;
  Region destination;
};

INSTANTIATE_TEST_SUITE_P(Every, CopyBy, testing::ValuesIn(copy_cases()),
                         [](const auto& tested) { return name_of_case(tested.param); });

TEST_P(CopyBy, MovesItsBytesAndNoOthers) {
  std::uint64_t seed = 1;
  // Rows that make no whole slice, one slice, several; and a number that makes no whole row.
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1000}, std::size_t{1024},
                                  std::size_t{3072}, std::size_t{4096}, std::size_t{65'536}}) {
    const Ends ends(GetParam(), source_kind(), destination_kind(), bytes);
    verifier_.fill(ends.source, ++seed);
    verifier_.poison(ends.destination);
    const PreparedCopy copy(GetParam().api, ends.destination.data, ends.source.data, bytes,
                            GetParam().direction, stream());
    EXPECT_NO_THROW(copy());
    stream().sync();
    EXPECT_NO_THROW(
        verifier_.verify_rows(ends.destination, ends.layout.width, ends.layout.pitch, seed))
        << bytes;
  }
}

TEST_P(CopyBy, ReadsTheSourceAnewInEveryCall) {
  constexpr std::size_t bytes = 8192;
  const Ends ends(GetParam(), source_kind(), destination_kind(), bytes);
  const PreparedCopy copy(GetParam().api, ends.destination.data, ends.source.data, bytes,
                          GetParam().direction, stream());
  for (const std::uint64_t seed : {3U, 4U, 5U}) {
    verifier_.fill(ends.source, seed);
    verifier_.poison(ends.destination);
    copy();
    stream().sync();
    EXPECT_NO_THROW(
        verifier_.verify_rows(ends.destination, ends.layout.width, ends.layout.pitch, seed));
  }
}

TEST_P(CopyBy, IsInTheOrderOfItsStream) {
  if (is_synchronous(GetParam().api)) {
    GTEST_SKIP() << "it is in the legacy stream, whatever the stream";
  }
  constexpr std::size_t bytes = 4096;
  const Ends ends(GetParam(), source_kind(), destination_kind(), bytes);
  verifier_.fill(ends.source, 9);
  verifier_.poison(ends.destination);
  const PreparedCopy copy(GetParam().api, ends.destination.data, ends.source.data, bytes,
                          GetParam().direction, stream_);
  Gate gate;
  gate.close(stream_);
  const OpenOnExit guard(gate);
  gate.start_hold(std::chrono::milliseconds(20));
  if (GetParam().direction == Direction::h2d) {
    copy();
    launch_fill_pattern(stream_, ends.destination.data, ends.destination.bytes, 10);
  } else {
    launch_fill_pattern(stream_, ends.source.data, ends.source.bytes, 10);
    copy();
  }
  (void)gate.open();
  stream_.sync();
  gate.require_opened_by_host();
  if (GetParam().direction == Direction::h2d) {
    EXPECT_NO_THROW(verifier_.verify(ends.destination, 10)) << "the copy came after its turn";
  } else {
    EXPECT_NO_THROW(
        verifier_.verify_rows(ends.destination, ends.layout.width, ends.layout.pitch, 10))
        << "the copy came before its turn";
  }
}

TEST(PreparedCopy, OfNoMemoryIsRefusedWithTheNameOfTheCall) {
  const Stream stream(StreamKind::nonblocking);
  const Buffer pinned(MemoryKind::pinned, 64);
  const auto refusal_of = [&](CopyApi api) -> std::string {
    try {
      PreparedCopy(api, nullptr, pinned.data(), 64, Direction::h2d, stream)();
    } catch (const CudaError& error) {
      (void)cudaGetLastError();
      return error.what();
    }
    return "no error";
  };
  for (const auto& [api, name] : std::array<std::pair<CopyApi, const char*>, 4>{
           {{CopyApi::memcpy, "cudaMemcpy:"},
            {CopyApi::memcpy_async, "cudaMemcpyAsync:"},
            {CopyApi::memcpy_2d, "cudaMemcpy2D:"},
            {CopyApi::memcpy_2d_async, "cudaMemcpy2DAsync:"}}}) {
    EXPECT_TRUE(refusal_of(api).starts_with(name)) << refusal_of(api);
  }
}

TEST(SymbolAddress, IsDeviceMemoryOfTheWholeSymbol) {
  std::byte* const memory = symbol_address();
  EXPECT_EQ(symbol_address(), memory);
  cudaPointerAttributes attributes{};
  for (const std::size_t place : {std::size_t{0}, symbol_bytes - 1}) {
    check(cudaPointerGetAttributes(&attributes, memory + place), "cudaPointerGetAttributes");
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
    write_byte(memory + place, std::byte{0x42});
    EXPECT_EQ(read_byte(memory + place), std::byte{0x42});
  }
}

}  // namespace
}  // namespace copybench
