// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

namespace copybench {

// Questions to the runtime that may stay unanswered: a fingerprint is taken on any machine.

/// False when the call failed; the error is cleared.
[[nodiscard]] bool has_answered(cudaError_t code, std::string_view api);

/// "0000:1B:00.0"
[[nodiscard]] std::optional<std::string> query_pci_bus_id(int device);
[[nodiscard]] std::optional<int> query_attribute(int device, cudaDeviceAttr attribute);

/// "13.0" for 13000; nothing for 0, which is what the runtime says of a missing driver.
[[nodiscard]] std::optional<std::string> format_cuda_version(int version);
/// The UUID as nvidia-smi spells it: `prefix` is "GPU", or "MIG" for a part of one.
[[nodiscard]] std::string format_uuid(std::string_view prefix, const cudaUUID_t& uuid);

}  // namespace copybench
