// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace copybench {

/// Names what goes on for a profiler, in a domain "copybench" of NVTX. Does nothing at all when
/// off, not even look for a profiler.
class Nvtx {
 public:
  /// Throws UsageError when it is asked for and this program was built without NVTX's header.
  explicit Nvtx(bool is_on);
  ~Nvtx();
  Nvtx(const Nvtx&) = delete;
  Nvtx& operator=(const Nvtx&) = delete;
  Nvtx(Nvtx&&) = delete;
  Nvtx& operator=(Nvtx&&) = delete;

  [[nodiscard]] bool is_on() const noexcept { return domain_ != nullptr; }

 private:
  friend class NvtxRange;

  // nvtxDomainHandle_t; null when off.
  void* domain_ = nullptr;
};

/// From here to the end of the scope, on the calling thread.
class NvtxRange {
 public:
  NvtxRange(const Nvtx& nvtx, const std::string& name);
  ~NvtxRange();
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
  NvtxRange(NvtxRange&&) = delete;
  NvtxRange& operator=(NvtxRange&&) = delete;

 private:
  [[maybe_unused]] const Nvtx& nvtx_;
};

}  // namespace copybench
