// SPDX-License-Identifier: Apache-2.0
// What is the fastest way of copying many small arrays that lie anywhere?
#include "common/staging/small_arrays.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "benchmarks/array_layout.hpp"
#include "benchmarks/families.hpp"
#include "benchmarks/small_arrays_sweeps.hpp"
#include "common/cuda/copy_api.hpp"
#include "common/measurement/weyl.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

enum Figure : std::size_t { blocked, completion };
constexpr std::array<std::string_view, 2> figure_names{"blocked", "completion"};

struct Case {
  SmallArraysWay way;
  Direction direction;
  MemoryKind memory;
  Figure metric;
  std::size_t bytes;
  std::size_t count;

  [[nodiscard]] bool to_device() const { return direction == Direction::h2d; }
  [[nodiscard]] std::size_t extent() const { return ArrayLayout::extent(bytes, count); }
};

Case parse(const AxisValues& values) {
  return {parse_axis<SmallArraysWay>(values, "way", small_arrays_way_names),
          parse_axis<Direction>(values, "dir", direction_names),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names),
          parse_axis<Figure>(values, "metric", figure_names),
          values.number("bytes"),
          values.number("count")};
}

// Packing takes memory in the roles that the arrays leave free.
PackingBlocks packing_blocks(const Case& parsed, Fixtures& fixtures) {
  if (parsed.way != SmallArraysWay::pack) {
    return {};
  }
  const Role host = parsed.to_device() ? Role::destination : Role::source;
  const Role device = parsed.to_device() ? Role::source : Role::destination;
  return {fixtures.region(MemoryKind::pinned, host, parsed.extent()).data,
          fixtures.region(MemoryKind::device, device, parsed.extent()).data};
}

std::byte* seen_by_copy(const Region& region) {
  return region.kind == MemoryKind::pinned_mapped ? mapped_address(region.data) : region.data;
}

class SmallArrays final : public Measurement {
 public:
  SmallArrays(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        layout_(parsed.bytes, parsed.count),
        pieces_(layout_.pieces()),
        source_(fixtures.region(parsed.to_device() ? parsed.memory : MemoryKind::device,
                                Role::source, parsed.extent())),
        destination_(fixtures.region(parsed.to_device() ? MemoryKind::device : parsed.memory,
                                     Role::destination, parsed.extent())),
        stream_(fixtures.stream(StreamKind::nonblocking)),
        copy_(parsed.way, parsed.direction,
              layout_.copies(seen_by_copy(destination_), seen_by_copy(source_)),
              packing_blocks(parsed, fixtures), stream_),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return case_.metric; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
    verifier_.poison(destination_);
  }

  void sample(std::span<Nanoseconds> durations) override {
    spoil_last_bytes();
    const TimePoint begin = now();
    copy_();
    const TimePoint returned = now();
    stream_.sync();
    const TimePoint usable = now();
    durations[Figure::blocked] = returned - begin;
    durations[Figure::completion] = usable - begin;
    require_last_bytes();
  }

  void verify() override { verifier_.verify_pieces(destination_, pieces_, seed_); }

  Findings conclude(std::span<const Summary> summaries) const override {
    const std::chrono::duration<double> whole = summaries[Figure::completion].median;
    const auto count = static_cast<double>(case_.count);
    return {"",
            {{"bytes_per_second", static_cast<double>(case_.bytes) * count / whole.count()},
             {"ns_per_array", std::chrono::duration<double, std::nano>(whole).count() / count}}};
  }

 private:
  // As in host_blocking: verify() sees only what the last sample of a batch left, these bytes that
  // each sample had its data when it said so.
  void spoil_last_bytes() {
    if (!case_.to_device()) {
      for (const Piece& piece : pieces_) {
        destination_.data[piece.offset + piece.bytes - 1] = ~last_byte(piece);
      }
    }
  }
  void require_last_bytes() const {
    if (!case_.to_device()) {
      for (const Piece& piece : pieces_) {
        if (destination_.data[piece.offset + piece.bytes - 1] != last_byte(piece)) {
          throw VerificationError(
              "the end of an array had not arrived when the stream was drained");
        }
      }
    }
  }
  [[nodiscard]] std::byte last_byte(const Piece& piece) const {
    return weyl_byte(seed_, piece.source_offset + piece.bytes - 1);
  }

  Case case_;
  ArrayLayout layout_;
  std::vector<Piece> pieces_;
  Region source_;
  Region destination_;
  StreamView stream_;
  SmallArraysCopy copy_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
};

// A case is admitted with both roles of each kind: the blocks of pack, in those that are left, add
// nothing to what the arrays take.
MemoryNeeds memory_needs(const AxisValues& values) {
  const Case parsed = parse(values);
  MemoryNeeds needs{{parsed.memory, parsed.extent()}, {MemoryKind::device, parsed.extent()}};
  if (parsed.way == SmallArraysWay::pack && parsed.memory != MemoryKind::pinned) {
    needs.emplace_back(MemoryKind::pinned, parsed.extent());
  }
  return needs;
}

std::optional<std::string> refuse(const AxisValues& values) {
  constexpr std::size_t most_arrays = std::size_t{1} << 20U;
  if (values.number("bytes") == 0) {
    return "bytes: an array of 0 is none";
  }
  if (values.number("count") > most_arrays) {
    return "count: at most " + std::to_string(most_arrays);
  }
  return std::nullopt;
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  return parse(values).way == SmallArraysWay::batch
             ? lacks_copy_api(CopyApi::memcpy_batch_stream, device.driver_version)
             : std::nullopt;
}

}  // namespace

Family small_arrays_family() {
  return {"small_arrays",
          small_arrays_sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<SmallArrays>(parse(values), fixtures);
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
