// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <cuda_runtime_api.h>

#include "simulator/device.hpp"

namespace copybench::simulator {

/// The current device of the calling thread, and any by number. Throws Refusal for one that there
/// is not.
[[nodiscard]] Device& device(int ordinal);
[[nodiscard]] Device& current_device();
[[nodiscard]] int current_ordinal();
void make_current(int ordinal);
[[nodiscard]] int device_count();

/// The stream behind a handle. Throws Refusal for a handle of no stream.
[[nodiscard]] Stream& find_stream(cudaStream_t handle);

/// What a synchronise of the stream waits for.
[[nodiscard]] std::vector<Ticket> pending(cudaStream_t stream);
void wait_for_all_devices();

/// Enqueues in the stream's own device.
Ticket submit(cudaStream_t stream, Operation operation);

}  // namespace copybench::simulator
