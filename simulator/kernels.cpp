// SPDX-License-Identifier: Apache-2.0
// What common/kernels/ does, done by the host.
#include "common/kernels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "common/cuda/check.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/weyl.hpp"
#include "simulator/activity_log.hpp"
#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/launch.hpp"
#include "simulator/memory.hpp"
#include "simulator/model.hpp"

namespace copybench {
namespace simulator {
namespace {

// Of one kernel, by the thread that launches it first. Nobody waits for the device meanwhile.
constexpr Nanoseconds loading_time{6000};

}  // namespace

cudaError_t launch_kernel(cudaStream_t stream, std::size_t blocks, KernelBody body, bool loads,
                          const char* name) noexcept {
  return run_enqueueing_call("cudaLaunchKernel", [&](const CallFaults& faults) {
    require(blocks > 0);
    if (loads) {
      sleep_until(now() + loading_time);
    }
    (void)submit(stream, {.run =
                              [body = std::move(body), faults, name] {
                                if (faults.trap != cudaSuccess) {
                                  return faults.trap;
                                }
                                sleep_until(now() + scaled(microseconds(model().launch_latency_us),
                                                           faults.slowness));
                                const RecordedWork recorded(ActivityKind::kernel, name);
                                return body(faults);
                              },
                          .takes_a_place = true});
  });
}

}  // namespace simulator

namespace {

using simulator::host_view;
using simulator::sleep_until;

template <typename T>
T* view(T* device_address) {
  return reinterpret_cast<T*>(host_view(device_address));
}

void launch(StreamView stream, const char* kernel, std::size_t blocks,
            const std::function<void()>& body, bool loads = false) {
  check(simulator::launch_kernel(
            stream.get(), blocks,
            [body](const simulator::CallFaults&) {
              body();
              return cudaSuccess;
            },
            loads, kernel),
        std::string(kernel) + " launch");
}

std::uint32_t load(std::uint32_t& flag) { return std::atomic_ref(flag).load(); }
void store(std::uint32_t& flag, std::uint32_t value) { std::atomic_ref(flag).store(value); }

// Polling with short sleeps leaves the few processors to the threads under measurement.
void hold_until_open(GateFlags* flags, std::uint64_t timeout_ns) {
  using std::chrono_literals::operator""us;
  store(flags->started, 1);
  const TimePoint timeout = now() + Nanoseconds(timeout_ns);
  while (load(flags->open) == 0) {
    if (now() > timeout || simulator::context_error() != cudaSuccess) {
      store(flags->timed_out, 1);
      return;
    }
    sleep_until(now() + 5us);
  }
}

// Otherwise all kernels were loaded before the first launch.
bool loads_lazily() {
  const char* const mode = std::getenv("CUDA_MODULE_LOADING");
  return mode != nullptr && std::string_view(mode) == "LAZY";
}

// Of all arrays of a launch together one byte is wrong, in the first.
void copy_arrays(const ArrayCopy* arrays, std::size_t count, const simulator::CallFaults& faults) {
  std::for_each(arrays, arrays + count, [](const ArrayCopy& array) {
    if (array.bytes > 0) {
      std::memcpy(view(array.destination), view(array.source), array.bytes);
    }
  });
  if (faults.corrupt_byte && arrays->bytes > 0) {
    const std::size_t at = simulator::corrupted_index(*faults.corrupt_byte, arrays->bytes);
    view(arrays->destination)[at] ^= std::byte{0xff};
  }
}

// What the kernel reads or writes there comes over the link, and takes as long as a copy.
bool is_of_host(const std::byte* memory) { return view(memory) == memory; }

constexpr std::size_t block_size = 256;
std::size_t blocks_for(std::size_t threads) { return (threads + block_size - 1) / block_size; }

}  // namespace

void load_kernels() {
  check(simulator::run_call("cudaFuncGetAttributes", [](const simulator::CallFaults&) {}),
        "cudaFuncGetAttributes");
}

void launch_cold_kernel(StreamView stream, std::size_t number) {
  static std::array<std::atomic_flag, cold_kernels> launched;
  const bool is_first = !launched.at(number).test_and_set();
  launch(stream, "cold_kernel", 1, [] {}, is_first && loads_lazily());
}

void launch_flag_gate(StreamView stream, GateFlags* flags, std::uint64_t timeout_ns) {
  launch(stream, "flag_gate", 1, [=] { hold_until_open(view(flags), timeout_ns); });
}

void launch_gated_size_producer(StreamView stream, GateFlags* flags, std::uint64_t timeout_ns,
                                std::int32_t size, std::int32_t* destination) {
  launch(stream, "gated_size_producer", 1, [=] {
    hold_until_open(view(flags), timeout_ns);
    // The host may be looking.
    std::atomic_ref(*view(destination)).store(size);
  });
}

void launch_publish_size(StreamView stream, const std::int32_t* size, std::uint64_t* word,
                         std::uint32_t number) {
  launch(stream, "publish_size", 1, [=] {
    std::atomic_ref(*view(word))
        .store(published_word(*view(size), number), std::memory_order_release);
  });
}

void launch_timed_gate(StreamView stream, std::uint64_t duration_ns) {
  launch(stream, "timed_gate", 1, [=] { sleep_until(now() + Nanoseconds(duration_ns)); });
}

void launch_fill_pattern(StreamView stream, std::byte* destination, std::size_t bytes,
                         std::uint64_t seed) {
  launch(stream, "fill_pattern", 1, [=] {
    std::byte* const out = view(destination);
    for (std::size_t i = 0; i < bytes; ++i) {
      out[i] = weyl_byte(seed, i);
    }
  });
}

void launch_copy(StreamView stream, std::byte* destination, const std::byte* source,
                 std::size_t bytes) {
  launch(stream, "copy_array", std::max<std::size_t>(bytes, 1), [=] {
    const TimePoint begin = now();
    std::memcpy(view(destination), view(source), bytes);
    if (is_of_host(destination) || is_of_host(source)) {
      sleep_until(begin + simulator::microseconds(simulator::model().link_latency_us) +
                  simulator::time_for(bytes, simulator::model().link_bytes_per_s));
    }
  });
}

void launch_compare_pattern(StreamView stream, const std::byte* data, std::size_t bytes,
                            std::uint64_t seed, Mismatch* result) {
  launch(stream, "compare_pattern", std::max<std::size_t>(bytes, 1), [=] {
    const std::byte* const in = view(data);
    Mismatch& found = *view(result);
    for (std::size_t i = 0; i < bytes; ++i) {
      if (in[i] != weyl_byte(seed, i)) {
        ++found.count;
        found.first = std::min<std::uint64_t>(found.first, i);
      }
    }
  });
}

void launch_scale(StreamView stream, float* values, std::size_t count, float factor,
                  std::int64_t clock_ticks) {
  launch(stream, "scale", blocks_for(count), [=] {
    // One tick of the simulated multiprocessor is a nanosecond.
    const TimePoint end = now() + Nanoseconds(clock_ticks);
    float* const first = view(values);
    std::for_each(first, first + count, [factor](float& value) { value *= factor; });
    sleep_until(end);
  });
}

void launch_grow(StreamView stream, double* values, std::size_t count, int k, std::int32_t size,
                 std::int32_t* destination, std::uint64_t sleep_ns) {
  launch(stream, "grow", blocks_for(count), [=] {
    const TimePoint end = now() + Nanoseconds(sleep_ns);
    double* const first = view(values);
    for (std::size_t i = 0; i < count; ++i) {
      first[i] += 1.0 + (2.0 + k) * static_cast<double>(i);
    }
    *view(destination) = size;
    sleep_until(end);
  });
}

void launch_copy_arrays(StreamView stream, const ArrayCopy* arrays, std::size_t count) {
  check(simulator::launch_kernel(
            stream.get(), count,
            [=](const simulator::CallFaults& faults) {
              copy_arrays(view(arrays), count, faults);
              return cudaSuccess;
            },
            false, "copy_arrays"),
        "copy_arrays launch");
}

}  // namespace copybench
