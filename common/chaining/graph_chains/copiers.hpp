// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "common/chaining/graph_chains/device_decided_chain.hpp"

namespace copybench {

/// device_copy_kernel: one kernel reads the size and writes the elements to host memory, at the
/// speed at which the multiprocessors reach it.
[[nodiscard]] std::unique_ptr<CountedCopier> make_kernel_copier(const CountedCopy& copy);

/// graph_switch: a kernel chooses one of several copies of settled sizes, the largest that is not
/// too long, for a copy engine to make (size_buckets.hpp), and another kernel copies the elements
/// behind it meanwhile. Needs CUDA 12.8.
[[nodiscard]] std::unique_ptr<CountedCopier> make_switch_copier(const CountedCopy& copy);

/// graph_while_tiles: a loop in the graph copies one tile after another. The tiles are copied by a
/// kernel: each lies elsewhere, and the addresses of a memcpy node in a loop stay what they are.
[[nodiscard]] std::unique_ptr<CountedCopier> make_tile_copier(const CountedCopy& copy);

/// graph_device_update: a kernel sizes the grid of the kernel that copies, or switches it off. What
/// a copy kernel of settled size lacks: blocks as many as there is work. Memcpy nodes cannot be
/// changed in that way.
///
/// Instead, a kernel could launch one of several graphs that hold a copy each. It would choose
/// among the same settled sizes as graph_switch, which does not need every one of them to be
/// instantiated and kept on the device as a graph of its own.
[[nodiscard]] std::unique_ptr<CountedCopier> make_planned_copier(const CountedCopy& copy);

}  // namespace copybench
