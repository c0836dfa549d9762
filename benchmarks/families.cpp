// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/families.hpp"

namespace copybench {

std::vector<Family> all_families() {
  return {
      bare_loop_family(),          harness_floor_family(),     host_blocking_family(),
      to_device_family(),          to_device_queued_family(),  dependent_copy_family(),
      queue_depth_family(),        staging_pool_family(),      scenario_copy_scale_copy_family(),
      scenario_to_device_family(), scenario_ping_pong_family()};
}

}  // namespace copybench
