// SPDX-License-Identifier: Apache-2.0
#include "simulator/transfer.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "common/measurement/clock.hpp"
#include "simulator/activity_log.hpp"
#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/memory.hpp"
#include "simulator/model.hpp"
#include "simulator/staging.hpp"

namespace copybench::simulator {
namespace {

// Copies inside a device, or inside the host, are that much faster than the link.
constexpr double inside_factor = 4;

double link_speed(const Copy& copy) {
  const bool crosses = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToHost;
  if (!crosses) {
    return inside_factor * model().link_bytes_per_s;
  }
  // To pageable memory the bytes go over the link and out of staging memory at the slower speed.
  return copy.pageable && copy.kind == cudaMemcpyDeviceToHost
             ? std::min(model().link_bytes_per_s, model().staging_bytes_per_s)
             : model().link_bytes_per_s;
}

Rows destination_of(const Copy& copy) {
  return {host_view(copy.destination), copy.width, copy.destination_pitch};
}
Rows source_of(const Copy& copy) { return {host_view(copy.source), copy.width, copy.source_pitch}; }

const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return "copy to device";
    case cudaMemcpyDeviceToHost:
      return "copy to host";
    case cudaMemcpyDeviceToDevice:
      return "copy on device";
    default:
      return "copy";
  }
}

// `kept` lives until the operation has run.
Operation operation_of(const Transfer& transfer,
                       const std::shared_ptr<StagedPiece>& kept = nullptr) {
  return {.run =
              [transfer, kept] {
                transfer();
                return cudaSuccess;
              },
          .takes_a_place = true};
}

Ticket enqueue(const Copy& copy, cudaStream_t stream, const CallFaults& faults) {
  return submit(stream, operation_of(transfer_of(copy, find_stream(stream).device(), faults)));
}

// Returns when the last piece is captured; its copy, and those of a pool's worth before it, may
// still be to come.
void capture_and_send(const Copy& copy, cudaStream_t stream, const CallFaults& faults) {
  StagingPool& pool = device(find_stream(stream).device()).staging();
  const auto most = static_cast<std::size_t>(std::min(model().piece_bytes, model().pool_bytes));
  const Rows source = source_of(copy);
  const Rows destination = destination_of(copy);
  for (std::size_t offset = 0; offset < copy.bytes;) {
    const std::size_t part = std::min(most, copy.bytes - offset);
    const TimePoint begin = now();
    const auto piece = std::make_shared<StagedPiece>(pool, source, offset, part);
    sleep_until(begin + scaled(time_for(part, model().staging_bytes_per_s), faults.slowness));
    const Transfer transfer{.destination = destination,
                            .source = piece->bytes(),
                            .bytes = part,
                            .kind = copy.kind,
                            .offset = offset,
                            .total = copy.bytes,
                            .faults = faults,
                            .device = find_stream(stream).device(),
                            .bytes_per_s = link_speed(copy)};
    (void)submit(stream, operation_of(transfer, piece));
    offset += part;
  }
}

}  // namespace

Transfer transfer_of(const Copy& copy, int device, const CallFaults& faults) {
  return {.destination = destination_of(copy),
          .source = source_of(copy),
          .bytes = copy.bytes,
          .kind = copy.kind,
          .faults = faults,
          .device = device,
          .bytes_per_s = link_speed(copy)};
}

void copy_async(const Copy& copy, cudaStream_t stream, const CallFaults& faults) {
  if (copy.pageable && copy.kind == cudaMemcpyHostToDevice) {
    capture_and_send(copy, stream, faults);
    return;
  }
  const Ticket done = enqueue(copy, stream, faults);
  if (copy.pageable || copy.managed || copy.kind == cudaMemcpyHostToHost) {
    wait_for(done);
  }
}

void copy_and_wait(const Copy& copy, const CallFaults& faults) {
  if (copy.pageable && copy.kind == cudaMemcpyHostToDevice) {
    wait_for(pending(cudaStreamLegacy));
    capture_and_send(copy, cudaStreamLegacy, faults);
    return;
  }
  const Ticket done = enqueue(copy, cudaStreamLegacy, faults);
  if (copy.kind != cudaMemcpyDeviceToDevice) {
    wait_for(done);
  }
}

void Transfer::operator()() const {
  const std::scoped_lock engine(simulator::device(device).link(kind));
  const RecordedWork recorded(ActivityKind::copy, name_of(kind), bytes);
  const TimePoint begin = now();
  move(destination, offset, source, 0, bytes);
  if (faults.corrupt_byte) {
    const std::size_t at = corrupted_index(*faults.corrupt_byte, total);
    if (at >= offset && at < offset + bytes) {
      *destination.at(at) ^= std::byte{0xff};
    }
  }
  const Nanoseconds takes = microseconds(model().link_latency_us) + time_for(bytes, bytes_per_s);
  sleep_until(begin + scaled(takes, faults.slowness));
}

}  // namespace copybench::simulator
