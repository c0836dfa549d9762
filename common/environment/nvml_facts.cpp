// SPDX-License-Identifier: Apache-2.0
#include "common/environment/nvml_facts.hpp"

namespace copybench {

void add_nvml_facts(Facts& facts, const Nvml& nvml) {
  using enum Nvml::Clock;
  add_fact(facts, "confidential_computing", nvml.confidential_computing());
  add_fact(facts, "gpu_ecc", describe(nvml.current_of_two("nvmlDeviceGetEccMode"), format_switch));
  add_fact(facts, "gpu_mig_mode",
           describe(nvml.current_of_two("nvmlDeviceGetMigMode"), format_switch));
  add_fact(facts, "gpu_persistence_mode",
           describe(nvml.number("nvmlDeviceGetPersistenceMode"), format_switch));
  add_fact(facts, "gpu_virtualization_mode",
           describe(nvml.number("nvmlDeviceGetVirtualizationMode"), format_virtualization));
  add_fact(facts, "gpu_bar1_total_bytes", describe(nvml.bar1_total_bytes(), format_number));
  add_fact(facts, "gpu_power_limit_mw",
           describe(nvml.number("nvmlDeviceGetEnforcedPowerLimit"), format_number));
  add_fact(facts, "gpu_vbios_version", nvml.text("nvmlDeviceGetVbiosVersion"));

  constexpr const char* now = "nvmlDeviceGetClockInfo";
  constexpr const char* max = "nvmlDeviceGetMaxClockInfo";
  add_fact(facts, "gpu_clock_sm_now_mhz", describe(nvml.clock_mhz(now, sm), format_number));
  add_fact(facts, "gpu_clock_sm_max_mhz", describe(nvml.clock_mhz(max, sm), format_number));
  add_fact(facts, "gpu_clock_memory_now_mhz", describe(nvml.clock_mhz(now, memory), format_number));
  add_fact(facts, "gpu_clock_memory_max_mhz", describe(nvml.clock_mhz(max, memory), format_number));
  // The name before driver 535 is the fallback.
  NvmlReading reasons = nvml.wide_number("nvmlDeviceGetCurrentClocksEventReasons");
  if (reasons.status == NvmlReading::Status::unknown) {
    reasons = nvml.wide_number("nvmlDeviceGetCurrentClocksThrottleReasons");
  }
  add_fact(facts, "gpu_throttle_reasons", describe(reasons, format_throttle_reasons));
}

}  // namespace copybench
