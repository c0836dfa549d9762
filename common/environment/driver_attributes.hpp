// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "common/environment/fact.hpp"

namespace copybench {

/// Whether streams can wait for and write memory locations (cuStreamWaitValue32 and its relatives).
/// The runtime API has no names for these attributes, hence the driver library, opened at run time
/// so that the program starts without one. The GPU is the one at that PCI address.
void add_driver_attribute_facts(Facts& facts, const std::optional<std::string>& pci_bus_id);

}  // namespace copybench
