// SPDX-License-Identifier: Apache-2.0
#include <cuda/atomic>

#include "common/kernels.hpp"
#include "common/kernels/launching.cuh"
#include "common/kernels/loading.hpp"

namespace copybench {
namespace {

__device__ void hold_until_open(GateFlags* flags, std::uint64_t timeout_ns) {
  volatile GateFlags* gate = flags;
  gate->started = 1;
  __threadfence_system();
  const std::uint64_t begin = device_time_ns();
  while (gate->open == 0) {
    if (device_time_ns() - begin > timeout_ns) {
      gate->timed_out = 1;
      break;
    }
  }
  __threadfence_system();
}

__global__ void flag_gate(GateFlags* flags, std::uint64_t timeout_ns) {
  hold_until_open(flags, timeout_ns);
}

__global__ void gated_size_producer(GateFlags* flags, std::uint64_t timeout_ns, std::int32_t size,
                                    std::int32_t* destination) {
  hold_until_open(flags, timeout_ns);
  *destination = size;
}

__global__ void publish_size(const std::int32_t* size, std::uint64_t* word, std::uint32_t number) {
  const cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system> published(*word);
  published.store(published_word(*size, number), cuda::memory_order_release);
}

__global__ void timed_gate(std::uint64_t duration_ns) { hold_for(duration_ns); }

}  // namespace

void load_gates() {
  load(flag_gate);
  load(gated_size_producer);
  load(publish_size);
  load(timed_gate);
}

void launch_flag_gate(StreamView stream, GateFlags* flags, std::uint64_t timeout_ns) {
  flag_gate<<<1, 1, 0, stream.get()>>>(flags, timeout_ns);
  check_launch("flag_gate launch");
}

void launch_gated_size_producer(StreamView stream, GateFlags* flags, std::uint64_t timeout_ns,
                                std::int32_t size, std::int32_t* destination) {
  gated_size_producer<<<1, 1, 0, stream.get()>>>(flags, timeout_ns, size, destination);
  check_launch("gated_size_producer launch");
}

void launch_publish_size(StreamView stream, const std::int32_t* size, std::uint64_t* word,
                         std::uint32_t number) {
  publish_size<<<1, 1, 0, stream.get()>>>(size, word, number);
  check_launch("publish_size launch");
}

void launch_timed_gate(StreamView stream, std::uint64_t duration_ns) {
  timed_gate<<<1, 1, 0, stream.get()>>>(duration_ns);
  check_launch("timed_gate launch");
}

}  // namespace copybench
