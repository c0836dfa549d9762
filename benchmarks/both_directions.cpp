// SPDX-License-Identifier: Apache-2.0
// Do copies in both directions, or to two devices, slow each other down?
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/copies_at_once.hpp"
#include "benchmarks/copy_pair.hpp"
#include "benchmarks/families.hpp"
#include "common/cuda/device_scope.hpp"
#include "common/measurement/weyl.hpp"
#include "common/suite/fixtures.hpp"

namespace copybench {
namespace {

// alone is the sum over the copies one after the other, taken right before they are made at once.
enum Figure : std::size_t { completion, alone };
constexpr std::array<std::string_view, 2> figure_names{"completion", "alone"};

Stream make_peer_stream() {
  const DeviceScope scope(peer_device());
  return Stream(StreamKind::nonblocking);
}

std::vector<StreamedCopy> copies_of(const CopyPair& parsed, Fixtures& fixtures,
                                    const std::optional<Stream>& peer_stream) {
  const auto region = [&](MemoryKind kind, Role role) {
    return fixtures.region(kind, role, parsed.bytes);
  };
  std::vector<StreamedCopy> copies;
  if (parsed.pair != Pair::d2h_alone) {
    copies.push_back({Direction::h2d, region(parsed.memory, Role::source),
                      region(MemoryKind::device, Role::destination),
                      fixtures.stream(StreamKind::nonblocking)});
  }
  if (parsed.pair != Pair::h2d_alone) {
    copies.push_back({Direction::d2h, region(MemoryKind::device, Role::source),
                      region(parsed.memory, Role::destination),
                      fixtures.other_stream(StreamKind::nonblocking)});
  }
  if (peer_stream) {
    // Another source: what one copy has just read would be in the caches for the other.
    copies.push_back({Direction::h2d, region(parsed.memory, Role::destination),
                      fixtures.peer_region(parsed.bytes), *peer_stream});
  }
  return copies;
}

class BothDirections final : public Measurement {
 public:
  BothDirections(const CopyPair& parsed, Fixtures& fixtures)
      : case_(parsed),
        peer_stream_(parsed.gpus > 1 ? std::optional(make_peer_stream()) : std::nullopt),
        inspected_(fixtures.region(MemoryKind::device, Role::destination, parsed.bytes)),
        copies_(copies_of(parsed, fixtures, peer_stream_), parsed.threads),
        carrier_(fixtures.stream(StreamKind::nonblocking)),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override {
    return std::span(figure_names).first(case_.copies() > 1 ? 2 : 1);
  }
  std::size_t tracked() const override { return Figure::completion; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    for (std::size_t i = copies().size(); i-- > 0;) {
      verifier_.fill(copies()[i].source, seed_of(i));
      if (is_on_peer(i)) {
        verifier_.poison(inspected_);
        carry(copies()[i].destination, inspected_);
      } else {
        verifier_.poison(copies()[i].destination);
      }
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    if (copies().size() > 1) {
      spoil_last_bytes();
      durations[Figure::alone] = copies_.time_alone();
      require_last_bytes();
    }
    spoil_last_bytes();
    durations[Figure::completion] = copies_.time_together();
    require_last_bytes();
  }

  void verify() override {
    for (std::size_t i = 0; i < copies().size(); ++i) {
      if (is_on_peer(i)) {
        carry(inspected_, copies()[i].destination);
      }
      verifier_.verify(is_on_peer(i) ? inspected_ : copies()[i].destination, seed_of(i));
    }
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    const auto seconds = [&](Figure figure) {
      return std::chrono::duration<double>(summaries[figure].median).count();
    };
    const auto bytes = static_cast<double>(case_.bytes) * static_cast<double>(copies().size());
    Findings findings{"", {{"bytes_per_second", bytes / seconds(Figure::completion)}}};
    if (copies().size() > 1) {
      findings.counters["duplex_fraction"] = seconds(Figure::alone) / seconds(Figure::completion);
    }
    return findings;
  }

 private:
  [[nodiscard]] const std::vector<StreamedCopy>& copies() const { return copies_.copies(); }
  // What one copy delivered must not pass for what another did.
  [[nodiscard]] std::uint64_t seed_of(std::size_t copy) const {
    constexpr std::uint64_t step = 0x0101010101010101U;
    return seed_ + step * copy;
  }

  // On another device, whose memory the verifier sees a copy of: the last one looked at, because
  // that copy takes the place of this device's own data.
  [[nodiscard]] bool is_on_peer(std::size_t i) const { return peer_stream_ && i > 0; }
  void carry(const Region& to, const Region& from) const {
    copy_async(to.data, from.data, from.bytes + canary_bytes, Direction::p2p, carrier_);
    carrier_.sync();
  }

  // As in host_blocking.
  [[nodiscard]] std::byte last_byte(std::size_t i) const {
    return weyl_byte(seed_of(i), case_.bytes - 1);
  }
  void spoil_last_bytes() const {
    for (std::size_t i = 0; i < copies().size(); ++i) {
      if (is_host_accessible(copies()[i].destination.kind)) {
        copies()[i].destination.data[case_.bytes - 1] = ~last_byte(i);
      }
    }
  }
  void require_last_bytes() const {
    for (std::size_t i = 0; i < copies().size(); ++i) {
      if (is_host_accessible(copies()[i].destination.kind) &&
          copies()[i].destination.data[case_.bytes - 1] != last_byte(i)) {
        throw VerificationError("the last byte had not arrived when the stream was drained");
      }
    }
  }

  CopyPair case_;
  std::optional<Stream> peer_stream_;
  Region inspected_;
  CopiesAtOnce copies_;
  StreamView carrier_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const CopyPair parsed = CopyPair::parse(values);
  return {{parsed.memory, parsed.bytes}, {MemoryKind::device, parsed.bytes}};
}

// As for copies to another device in host_blocking.
ProcessSettings process(const AxisValues& values) {
  return {.own_process = CopyPair::parse(values).gpus > 1};
}

}  // namespace

Family both_directions_family() {
  return {"both_directions",
          copy_pair_sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<BothDirections>(CopyPair::parse(values), fixtures);
          },
          memory_needs,
          refuse_copy_pair,
          lacks_for_copy_pair,
          process};
}

}  // namespace copybench
