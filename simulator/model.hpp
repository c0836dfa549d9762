// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/measurement/clock.hpp"

namespace copybench::simulator {

/// How fast the simulated machine is. The defaults suit a machine with two cores: every modelled
/// time is longer than what the host needs to do the same work, so that the model decides, not the
/// host. None of it is a measurement.
struct Model {
  /// What a copy between host and device reaches, in each direction.
  double link_bytes_per_s = 4e9;
  /// What every copy on the link takes before its first byte.
  double link_latency_us = 20;
  /// How fast the host moves pageable bytes into staging memory, or out of it.
  double staging_bytes_per_s = 2e9;
  /// Staging memory of one device: so many pageable bytes are captured before their copy has run.
  double pool_bytes = 2 << 20;
  /// Pageable bytes to the device are captured and sent in pieces of at most this size.
  double piece_bytes = 512 << 10;
  /// From the turn of a kernel to its beginning.
  double launch_latency_us = 5;
  /// From the turn of a host function to its entry.
  double host_function_latency_us = 20;
  /// Least time of a call that enqueues something.
  double call_us = 2;
  /// What each page of 4 KiB adds to a call that pins host memory or unpins it.
  double pin_us_per_page = 0.05;
  /// Kernels and copies that a stream holds before enqueueing another one blocks. Of the rest it
  /// holds any number.
  double queue_depth = 1024;
  double devices = 1;
  double device_memory_bytes = 384 << 20;
};

/// The model of this process, read once: COPYBENCH_SIM_<PARAMETER> in the environment, then the
/// file that COPYBENCH_SIM_MODEL names (lines "parameter=value"), then the defaults. An unknown
/// parameter or a value out of its range ends the process with status 2.
[[nodiscard]] const Model& model();

/// "link_bytes_per_s=4e+09 ...", for the context of a result.
[[nodiscard]] std::string describe(const Model& model);

/// The model that variables ("COPYBENCH_SIM_X=1") and a file's text ask for. Throws
/// std::invalid_argument, whose text names the variable or the line at fault.
[[nodiscard]] Model read_model(const std::vector<std::string>& variables,
                               std::string_view file_text);

/// Time that `bytes` bytes take at a speed.
[[nodiscard]] Nanoseconds time_for(std::size_t bytes, double bytes_per_s);
[[nodiscard]] Nanoseconds microseconds(double count);
[[nodiscard]] Nanoseconds scaled(Nanoseconds time, double factor);

}  // namespace copybench::simulator
