// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/suite/family.hpp"

namespace copybench {

[[nodiscard]] Family host_blocking_family();
[[nodiscard]] Family memory_call_family();
[[nodiscard]] Family bare_loop_family();
[[nodiscard]] Family harness_floor_family();
[[nodiscard]] Family to_device_family();
[[nodiscard]] Family to_device_queued_family();
[[nodiscard]] Family to_host_family();
[[nodiscard]] Family staged_parallel_family();
[[nodiscard]] Family staging_limits_family();
[[nodiscard]] Family dependent_copy_family();
[[nodiscard]] Family dependent_copy_load_family();
[[nodiscard]] Family queue_depth_family();
[[nodiscard]] Family staging_pool_family();
[[nodiscard]] Family wake_up_family();
[[nodiscard]] Family callback_latency_family();
[[nodiscard]] Family lazy_loading_family();
[[nodiscard]] Family scenario_copy_scale_copy_family();
[[nodiscard]] Family scenario_to_device_family();
[[nodiscard]] Family scenario_ping_pong_family();
[[nodiscard]] Family beside_family();
[[nodiscard]] Family lifetime_family();
[[nodiscard]] Family enqueue_threads_family();
[[nodiscard]] Family small_arrays_family();
[[nodiscard]] Family both_directions_family();
[[nodiscard]] Family pinning_family();
[[nodiscard]] Family pin_break_even_family();

/// All of the above, in the order in which they run.
[[nodiscard]] std::vector<Family> all_families();

}  // namespace copybench
