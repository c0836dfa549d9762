// SPDX-License-Identifier: Apache-2.0
// How long does the calling thread sit inside a copy, and what makes it wait?
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "benchmarks/families.hpp"
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

class HostBlocking final : public Measurement {
 public:
  HostBlocking(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        layout_(copy_layout(parsed.api, parsed.bytes)),
        source_(fixtures.region(parsed.source(), Role::source, layout_.extent())),
        destination_(parsed.to_symbol() ? Region{MemoryKind::device, symbol_address(), parsed.bytes}
                                        : fixtures.region(parsed.destination(), Role::destination,
                                                          layout_.extent())),
        copy_(parsed.api, destination_.data, source_.data, parsed.bytes, parsed.direction,
              fixtures.stream(parsed.stream)),
        call_(parsed.queue, fixtures.stream(parsed.stream),
              fixtures.other_stream(StreamKind::blocking), fixtures.gate()),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return call_.figures(); }
  std::size_t tracked() const override { return BlockedCall::tracked; }
  std::size_t least_samples() const override { return BlockedCall::least_samples; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
    call_.choose_hold(case_.bytes, copy_);
    verifier_.poison(destination_);
  }

  void sample(std::span<Nanoseconds> durations) override {
    spoil_last_byte();
    call_.sample(durations, copy_);
    require_last_byte();
  }

  void verify() override {
    if (layout_.rows == 1) {
      verifier_.verify_prefix(destination_, layout_.width, seed_);
    } else {
      verifier_.verify_rows(destination_, layout_.width, layout_.pitch, seed_);
    }
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    Findings findings = call_.conclude(summaries);
    if (case_.queue != Queue::busy_elsewhere) {
      findings.counters["bytes_per_second"] =
          static_cast<double>(case_.bytes) /
          std::chrono::duration<double>(call_.copied_in(summaries)).count();
    }
    return findings;
  }

 private:
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
  Region destination_;
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
  return has_copy_api(parse(values).api, device.driver_version)
             ? std::nullopt
             : std::optional<std::string>("needs CUDA 12.8, which the toolkit or the driver lacks");
}

std::vector<Sweep> sweeps() {
  const std::vector<std::string> both{"h2d", "d2h"};
  return {
      {"From which size, in which direction, for which memory does cudaMemcpyAsync block, and "
       "does it wait for the copy or for the queue?",
       {{"api", {"memcpy_async"}},
        {"dir", both},
        {"mem", {"pageable", "pinned", "registered", "managed"}},
        {"stream", {"nonblocking"}},
        {"queue", {"idle", "busy"}},
        {"bytes",
         {"4", "4096", "65536", "262144", "1048576", "4194304", "16777216", "67108864",
          "268435456"},
         {"4", "65536", "1048576", "16777216"}}}},
      {"Does a pinned copy reach the link?",
       {{"api", {"memcpy_async"}},
        {"dir", both},
        {"mem", {"pinned"}},
        {"stream", {"nonblocking"}},
        {"queue", {"idle"}},
        {"bytes", {"268435456"}}}},
      {"Where exactly does a pageable copy begin to wait?",
       {{"api", {"memcpy_async"}},
        {"dir", both},
        {"mem", {"pageable"}},
        {"stream", {"nonblocking"}},
        {"queue", {"idle", "busy"}},
        {"bytes",
         {"16384", "32768", "49152", "65535", "65537", "81920", "98304", "131072", "524288",
          "1572864", "2097152", "2621440", "3145728"}}},
       false},
      {"Do the smallest and the largest copies keep to the rule?",
       {{"api", {"memcpy_async"}},
        {"dir", both},
        {"mem", {"pageable", "pinned", "registered"}},
        {"stream", {"nonblocking"}},
        {"queue", {"idle", "busy"}},
        {"bytes", {"0", "1", "1073741824"}}},
       false},
      {"Is other memory treated as what it looks like: huge pages, a mapped file, a stack, the "
       "inside of a pinned block, write-combined and mapped memory?",
       {{"api", {"memcpy_async"}},
        {"dir", both},
        {"mem",
         {"pageable_thp", "pageable_file", "pageable_stack", "pinned_interior",
          "pinned_write_combined", "pinned_mapped"}},
        {"stream", {"nonblocking"}},
        {"queue", {"idle", "busy"}},
        {"bytes", {"4096", "65536", "1048576", "16777216"}}},
       false},
      {"Does the synchronous form return before the copy is done, at and around 64 KiB?",
       {{"api", {"memcpy"}},
        {"dir", both},
        {"mem", {"pageable", "pinned"}},
        {"stream", {"legacy"}},
        {"queue", {"idle", "busy"}},
        {"bytes",
         {"4096", "32768", "64512", "65536", "66560", "131072", "1048576", "16777216"},
         {"65536"}}}},
      {"Do the other calls for the same copy follow the same rule?",
       {{"api",
         {"memcpy_2d_async", "memcpy_3d_async", "memcpy_batch_stream", "memcpy_batch_during_call",
          "memcpy_batch_any", "graph_launch"},
         {"memcpy_2d_async", "memcpy_batch_during_call", "graph_launch"}},
        {"dir", both, {"h2d"}},
        {"mem", {"pageable", "pinned"}},
        {"stream", {"nonblocking"}},
        {"queue", {"idle", "busy"}, {"busy"}},
        {"bytes", {"4096", "65536", "1048576", "4194304"}, {"65536"}}}},
      {"Does a copy to a symbol follow the same rule?",
       {{"api", {"memcpy_to_symbol_async"}},
        {"dir", {"h2d"}},
        {"mem", {"pageable", "pinned"}},
        {"stream", {"nonblocking"}},
        {"queue", {"idle", "busy"}},
        {"bytes", {"4096", "65536"}}},
       false},
      {"Does the synchronous 2D form follow the same rule?",
       {{"api", {"memcpy_2d"}},
        {"dir", both},
        {"mem", {"pageable", "pinned"}},
        {"stream", {"legacy"}},
        {"queue", {"idle", "busy"}},
        {"bytes", {"4096", "65536", "1048576"}}},
       false},
      {"Does the kind of the stream, or work in another stream, make the host wait?",
       {{"api", {"memcpy_async"}},
        {"dir", both},
        {"mem", {"pageable", "pinned"}},
        {"stream", {"legacy", "per_thread", "blocking", "nonblocking"}},
        {"queue", {"idle", "busy", "busy_elsewhere"}},
        {"bytes", {"65536", "1048576"}}},
       false},
      {"Does a copy inside the device, or inside the host, block the host?",
       {{"api", {"memcpy_async"}},
        {"dir", {"d2d"}},
        {"mem", {"device"}},
        {"stream", {"nonblocking"}},
        {"queue", {"idle", "busy"}},
        {"bytes", {"4096", "65536", "1048576", "16777216", "268435456"}}},
       false},
      {"Does the synchronous copy inside the device wait for it?",
       {{"api", {"memcpy"}},
        {"dir", {"d2d"}},
        {"mem", {"device"}},
        {"stream", {"legacy"}},
        {"queue", {"idle", "busy"}},
        {"bytes", {"65536", "268435456"}}},
       false},
      {"Does a copy from host to host wait for the queue?",
       {{"api", {"memcpy_async"}},
        {"dir", {"h2h"}},
        {"mem", {"pageable", "pinned"}},
        {"stream", {"nonblocking"}},
        {"queue", {"idle", "busy"}},
        {"bytes", {"4096", "65536", "1048576", "16777216"}}},
       false},
  };
}

}  // namespace

Family host_blocking_family() {
  return {"host_blocking",
          sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<HostBlocking>(parse(values), fixtures);
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
