// SPDX-License-Identifier: Apache-2.0
// How long does the calling thread sit inside a copy, and what makes it wait?
#include <array>
#include <chrono>
#include <string>

#include "benchmarks/families.hpp"
#include "benchmarks/host_blocking_sweeps.hpp"
#include "common/cuda/copy_api.hpp"
#include "common/kernels.hpp"
#include "common/measurement/blocked_call.hpp"
#include "common/measurement/weyl.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

struct Case {
  CopyApi api;
  Direction direction;
  MemoryKind memory;
  StreamKind stream;
  Queue queue;
  std::size_t bytes;

  [[nodiscard]] MemoryKind source() const {
    return direction == Direction::d2h ? MemoryKind::device : memory;
  }
  [[nodiscard]] MemoryKind destination() const {
    return direction == Direction::h2d ? MemoryKind::device : memory;
  }
  [[nodiscard]] bool to_symbol() const { return api == CopyApi::memcpy_to_symbol_async; }
};

Case parse(const AxisValues& values) {
  return {parse_axis<CopyApi>(values, "api", copy_api_names),
          parse_axis<Direction>(values, "dir", direction_names),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names),
          parse_axis<StreamKind>(values, "stream", stream_kind_names),
          parse_axis<Queue>(values, "queue", queue_names),
          values.number("bytes")};
}

MemoryNeeds memory_needs(const AxisValues& values) {
  const Case parsed = parse(values);
  const std::size_t extent = copy_layout(parsed.api, parsed.bytes).extent();
  return {{parsed.source(), extent}, {parsed.destination(), extent}};
}

constexpr std::size_t most_bytes_for_many_samples = std::size_t{256} << 20U;

class HostBlocking final : public Measurement {
 public:
  HostBlocking(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        layout_(copy_layout(parsed.api, parsed.bytes)),
        source_(fixtures.region(parsed.source(), Role::source, layout_.extent())),
        inspected_(parsed.to_symbol() ? Region{MemoryKind::device, symbol_address(), parsed.bytes}
                                      : fixtures.region(parsed.destination(), Role::destination,
                                                        layout_.extent())),
        destination_(parsed.direction == Direction::p2p ? fixtures.peer_region(parsed.bytes)
                                                        : inspected_),
        reaches_peer_(fixtures.reaches_peer_directly()),
        stream_(fixtures.stream(parsed.stream)),
        copy_(parsed.api, destination_.data, source_.data, parsed.bytes, parsed.direction, stream_),
        call_(parsed.queue, stream_, fixtures.other_stream(StreamKind::blocking), fixtures.gate()),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return call_.figures(); }
  std::size_t tracked() const override { return BlockedCall::tracked; }
  // The largest take half a second each, and next to nothing of it is noise.
  std::size_t least_samples() const override {
    return layout_.extent() > most_bytes_for_many_samples ? 5 : BlockedCall::least_samples;
  }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
    call_.choose_hold(case_.bytes, copy_);
    verifier_.poison(inspected_);
    if (is_elsewhere()) {
      carry(destination_, inspected_);
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    spoil_last_byte();
    call_.sample(durations, copy_);
    require_last_byte();
  }

  void verify() override {
    if (is_elsewhere()) {
      carry(inspected_, destination_);
    }
    if (layout_.rows == 1) {
      verifier_.verify_prefix(inspected_, layout_.width, seed_);
    } else {
      verifier_.verify_rows(inspected_, layout_.width, layout_.pitch, seed_);
    }
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    Findings findings = call_.conclude(summaries);
    if (case_.queue != Queue::busy_elsewhere) {
      findings.counters["bytes_per_second"] =
          static_cast<double>(case_.bytes) /
          std::chrono::duration<double>(call_.copied_in(summaries)).count();
    }
    if (case_.direction == Direction::p2p) {
      findings.counters["peer_access"] = reaches_peer_ ? 1 : 0;
    }
    return findings;
  }

 private:
  // On another device, whose memory the verifier sees a copy of.
  [[nodiscard]] bool is_elsewhere() const { return destination_.data != inspected_.data; }
  void carry(const Region& to, const Region& from) const {
    copy_async(to.data, from.data, from.bytes + canary_bytes, Direction::p2p, stream_);
    stream_.sync();
  }

  // verify() looks at every byte, but only after the last call of a batch. That each of them had
  // its data by the time it says is seen by the last byte, where the host can see it.
  [[nodiscard]] bool last_byte_is_seen() const {
    return is_host_accessible(destination_.kind) && case_.bytes > 0;
  }
  [[nodiscard]] std::size_t last() const {
    return layout_.pitch * (layout_.rows - 1) + layout_.width - 1;
  }
  void spoil_last_byte() {
    if (last_byte_is_seen()) {
      destination_.data[last()] = ~weyl_byte(seed_, last());
    }
  }
  void require_last_byte() {
    if (last_byte_is_seen() && destination_.data[last()] != weyl_byte(seed_, last())) {
      throw VerificationError("the last byte had not arrived when the stream was drained");
    }
  }

  Case case_;
  CopyLayout layout_;
  Region source_;
  // Where the verifier looks: the destination, unless that is on another device.
  Region inspected_;
  Region destination_;
  bool reaches_peer_;
  StreamView stream_;
  PreparedCopy copy_;
  BlockedCall call_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
};

std::optional<std::string> refuse(const AxisValues& values) {
  const Case parsed = parse(values);
  constexpr std::size_t most = symbol_bytes - canary_bytes;
  if (parsed.to_symbol() && parsed.bytes > most) {
    return "bytes: the symbol has room for " + std::to_string(most);
  }
  if (parsed.api != CopyApi::memcpy_async && parsed.bytes == 0) {
    return "bytes: 0 is for memcpy_async alone";
  }
  return std::nullopt;
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  const Case parsed = parse(values);
  if (parsed.direction == Direction::p2p && device.count < 2) {
    return "needs a second GPU";
  }
  return lacks_copy_api(parsed.api, device.driver_version);
}

// The first use of another device makes a context of it, and from then on all that the process pins
// is pinned for both.
ProcessSettings process(const AxisValues& values) {
  return {.own_process = parse(values).direction == Direction::p2p};
}

}  // namespace

Family host_blocking_family() {
  return {"host_blocking",
          host_blocking_sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<HostBlocking>(parse(values), fixtures);
          },
          memory_needs,
          refuse,
          lacks,
          process};
}

}  // namespace copybench
