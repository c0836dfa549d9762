// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/cuda/buffer.hpp"
#include "common/cuda/stream.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/gate.hpp"

// A contract is something that the suite assumes of the CUDA runtime. Each has one test, which runs
// on the real runtime and on the simulated one, and puts two texts into the test report:
// contract_table.py makes the table of docs/contracts.md out of them.

namespace copybench {

/// Records what NVIDIA promises, in our own words, or "not documented".
void documented(std::string_view promise);

/// Records what happened. In words, without figures: the texts of two runtimes are compared.
void observed(std::string_view what);

/// Records that NVIDIA's promise was not kept: for the few that an H200 was seen to break, where a
/// failing test would say nothing new.
void contradicted();

/// What happened to each of several variants of a call: the variant and the text.
using Outcomes = std::vector<std::pair<std::string, std::string>>;

/// The text alone when all variants agree, else "variant: text; variant: text".
[[nodiscard]] std::string describe(const Outcomes& outcomes);

/// The name of what a call returned. Clears the last error, so that the next call is not blamed.
[[nodiscard]] std::string result_of(cudaError_t code);

/// What is promised about a call that is made behind a closed gate.
enum class Promise { nothing, returns_first, waits };

[[nodiscard]] std::string describe_return(bool returned_first);

inline constexpr std::byte old_byte{0x5a};
inline constexpr std::byte new_byte{0xa5};

/// Which bytes a copy delivered whose source was overwritten early.
[[nodiscard]] std::string describe_arrival(const Buffer& destination);

/// Sets every byte of memory of any kind. Done when it returns.
void fill(const Buffer& buffer, std::byte value);
/// Whether every byte has that value.
[[nodiscard]] bool holds(const Buffer& buffer, std::byte value);

/// Runs `body` in a process of its own and returns its text, or how the process ended instead, in
/// words. Needed where the context is lost or may be. The test starts anew in that process, so what
/// comes before the call runs in both.
[[nodiscard]] std::string in_own_process(const std::function<std::string()>& body);

/// Base of the tests. Requires both texts, an idle device and no error left behind.
class Contract : public testing::Test {
 protected:
  void TearDown() override;

  /// Whether `call` returned while a gate was closed in `gated`, which is drained afterwards.
  [[nodiscard]] bool returns_first_once(StreamView gated, const std::function<void()>& call);
  /// The same, but a call that waited is made twice: a late return may have been the scheduler's
  /// doing, an early one may not.
  [[nodiscard]] bool returns_first(StreamView gated, const std::function<void()>& call);

  static void expect_promise(Promise promise, bool returned_first);

  /// Whether the host may touch managed memory while the device is busy.
  [[nodiscard]] static bool has_concurrent_managed_access();

  Stream stream_{StreamKind::nonblocking};
  Gate gate_;
};

/// Long enough for any call that does not wait, short enough to spend it many times.
inline constexpr Nanoseconds hold = std::chrono::milliseconds(30);
/// For what has to happen before a gate opens.
inline constexpr Nanoseconds long_hold = std::chrono::milliseconds(200);

/// Waits for `condition` by polling. Returns false when it did not hold within `limit`.
[[nodiscard]] bool happens_within(Nanoseconds limit, const std::function<bool()>& condition);

}  // namespace copybench
