// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/families.hpp"

namespace copybench {

std::vector<Family> all_families() {
  return {bare_loop_family(),
          harness_floor_family(),
          host_blocking_family(),
          memory_call_family(),
          lifetime_family(),
          beside_family(),
          enqueue_threads_family(),
          queue_depth_family(),
          staging_pool_family(),
          wake_up_family(),
          callback_latency_family(),
          lazy_loading_family(),
          to_device_family(),
          to_device_queued_family(),
          to_host_family(),
          staged_parallel_family(),
          staging_limits_family(),
          small_arrays_family(),
          both_directions_family(),
          pinning_family(),
          pin_break_even_family(),
          dependent_copy_family(),
          dependent_copy_load_family(),
          scenario_copy_scale_copy_family(),
          scenario_to_device_family(),
          scenario_ping_pong_family()};
}

}  // namespace copybench
