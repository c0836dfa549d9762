// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

namespace copybench::simulator {

/// What can go wrong with a call:
///   fail:API:N[:ERROR]   returns ERROR (cudaErrorUnknown) and does nothing
///   lose:API:N[:ERROR]   the same, and the context is lost: every later call fails as well
///   hang:API:N           never returns
///   slow:API:FACTOR      all that the model makes the call take is multiplied
///   corrupt:API:N[:BYTE] the copy, or memset, delivers one wrong byte, counted from the end if
///                        negative; of kernels those that copy, in their first array
///   trap:API:N[:ERROR]   the kernel fails when it runs, and the context is lost
/// N is "3" for the third call of this API in the process, or "3+" for it and all later ones. API
/// is a function of the runtime; launches of kernels count as cudaLaunchKernel.
enum class FaultKind { fail, lose, hang, slow, corrupt, trap };

inline constexpr std::array<std::string_view, 6> fault_kind_names{"fail", "lose",    "hang",
                                                                  "slow", "corrupt", "trap"};

struct Fault {
  FaultKind kind;
  std::string api;
  std::uint64_t first = 1;
  bool and_later = false;
  cudaError_t error = cudaErrorUnknown;
  std::int64_t byte = 0;
  double factor = 1;

  [[nodiscard]] bool strikes(std::string_view called, std::uint64_t nth) const;
};

/// Faults separated by ";". Throws std::invalid_argument, whose text names the fault that is not
/// one.
[[nodiscard]] std::vector<Fault> parse_faults(std::string_view text);

/// Whether a fault can name this function.
[[nodiscard]] bool is_counted(std::string_view api);

/// Which of `bytes` bytes a fault's byte is.
[[nodiscard]] std::size_t corrupted_index(std::int64_t byte, std::size_t bytes);

/// What befalls one call, in so far as the call has to take part.
struct CallFaults {
  double slowness = 1;
  std::optional<std::int64_t> corrupt_byte;
  cudaError_t trap = cudaSuccess;
};

}  // namespace copybench::simulator
