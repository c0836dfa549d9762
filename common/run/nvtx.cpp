// SPDX-License-Identifier: Apache-2.0
#include "common/run/nvtx.hpp"

#include "common/run/exit_status.hpp"

// Comes with the toolkit, but not with the package that has the runtime's headers alone.
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#endif

namespace copybench {

#if __has_include(<nvtx3/nvToolsExt.h>)

Nvtx::Nvtx(bool is_on) {
  if (is_on) {
    // Null while no profiler listens, and then there is nobody to name anything for.
    domain_ = nvtxDomainCreateA("copybench");
  }
}

Nvtx::~Nvtx() {
  if (domain_ != nullptr) {
    nvtxDomainDestroy(static_cast<nvtxDomainHandle_t>(domain_));
  }
}

NvtxRange::NvtxRange(const Nvtx& nvtx, const std::string& name) : nvtx_(nvtx) {
  if (nvtx_.is_on()) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name.c_str();
    nvtxDomainRangePushEx(static_cast<nvtxDomainHandle_t>(nvtx_.domain_), &attributes);
  }
}

NvtxRange::~NvtxRange() {
  if (nvtx_.is_on()) {
    nvtxDomainRangePop(static_cast<nvtxDomainHandle_t>(nvtx_.domain_));
  }
}

#else

Nvtx::Nvtx(bool is_on) {
  if (is_on) {
    throw UsageError(
        "--copybench_nvtx: this program was built without nvtx3/nvToolsExt.h, which the CUDA "
        "Toolkit has");
  }
}

Nvtx::~Nvtx() = default;
NvtxRange::NvtxRange(const Nvtx& nvtx, const std::string& /*name*/) : nvtx_(nvtx) {}
NvtxRange::~NvtxRange() = default;

#endif

}  // namespace copybench
