// SPDX-License-Identifier: Apache-2.0
#include "simulator/devices.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "simulator/call.hpp"
#include "simulator/model.hpp"

namespace copybench::simulator {
namespace {

thread_local int current = 0;

// Never destroyed: work may be under way when the process ends, and nobody waits for it then.
const std::vector<std::unique_ptr<Device>>& devices() {
  static const auto* const all = [] {
    auto* const made = new std::vector<std::unique_ptr<Device>>;
    made->reserve(static_cast<std::size_t>(model().devices));
    for (int i = 0; i < static_cast<int>(model().devices); ++i) {
      made->push_back(std::make_unique<Device>(i));
    }
    return made;
  }();
  return *all;
}

}  // namespace

int device_count() { return static_cast<int>(devices().size()); }
int current_ordinal() { return current; }

Device& device(int ordinal) {
  require(ordinal >= 0 && ordinal < device_count(), cudaErrorInvalidDevice);
  return *devices()[static_cast<std::size_t>(ordinal)];
}

Device& current_device() { return device(current); }

void make_current(int ordinal) {
  (void)device(ordinal);
  current = ordinal;
}

Stream& find_stream(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) {
    return current_device().legacy();
  }
  if (handle == cudaStreamPerThread) {
    return current_device().per_thread();
  }
  auto* const stream = reinterpret_cast<Stream*>(handle);
  require(std::ranges::any_of(devices(), [&](const auto& one) { return one->owns(stream); }),
          cudaErrorInvalidResourceHandle);
  return *stream;
}

std::vector<Ticket> pending(cudaStream_t stream) {
  const Stream& found = find_stream(stream);
  return device(found.device()).pending(found);
}

void wait_for_all_devices() {
  for (const auto& one : devices()) {
    wait_for(one->pending());
  }
}

Ticket submit(cudaStream_t stream, Operation operation) {
  Stream& found = find_stream(stream);
  return device(found.device()).submit(found, std::move(operation));
}

}  // namespace copybench::simulator
