// SPDX-License-Identifier: Apache-2.0
#include "simulator/fault_plan.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/environment/text.hpp"
#include "common/named_enum.hpp"
#include "simulator/error_names.hpp"

namespace copybench::simulator {
namespace {

// Those that are counted; a fault for another one would never strike.
constexpr std::array<std::string_view, 70> functions{"cuStreamWriteValue32",
                                                     "cudaDeviceCanAccessPeer",
                                                     "cudaDeviceEnablePeerAccess",
                                                     "cudaDeviceGetAttribute",
                                                     "cudaDeviceGetPCIBusId",
                                                     "cudaDeviceSynchronize",
                                                     "cudaDriverGetVersion",
                                                     "cudaEventCreateWithFlags",
                                                     "cudaEventDestroy",
                                                     "cudaEventElapsedTime",
                                                     "cudaEventQuery",
                                                     "cudaEventRecord",
                                                     "cudaEventSynchronize",
                                                     "cudaFree",
                                                     "cudaFreeAsync",
                                                     "cudaFreeHost",
                                                     "cudaFuncGetAttributes",
                                                     "cudaGetDevice",
                                                     "cudaGetDeviceCount",
                                                     "cudaGetDeviceFlags",
                                                     "cudaGetDeviceProperties",
                                                     "cudaGetSymbolAddress",
                                                     "cudaGraphAddKernelNode",
                                                     "cudaGraphAddMemcpyNode1D",
                                                     "cudaGraphAddNode",
                                                     "cudaGraphConditionalHandleCreate",
                                                     "cudaGraphCreate",
                                                     "cudaGraphDestroy",
                                                     "cudaGraphExecDestroy",
                                                     "cudaGraphExecMemcpyNodeSetParams1D",
                                                     "cudaGraphInstantiate",
                                                     "cudaGraphLaunch",
                                                     "cudaGraphUpload",
                                                     "cudaHostAlloc",
                                                     "cudaHostGetDevicePointer",
                                                     "cudaHostRegister",
                                                     "cudaHostUnregister",
                                                     "cudaLaunchHostFunc",
                                                     "cudaLaunchKernel",
                                                     "cudaMalloc",
                                                     "cudaMallocAsync",
                                                     "cudaMallocFromPoolAsync",
                                                     "cudaMallocHost",
                                                     "cudaMallocManaged",
                                                     "cudaMemGetInfo",
                                                     "cudaMemPoolCreate",
                                                     "cudaMemPoolDestroy",
                                                     "cudaMemPoolSetAttribute",
                                                     "cudaMemPrefetchAsync",
                                                     "cudaMemcpy",
                                                     "cudaMemcpy2D",
                                                     "cudaMemcpy2DAsync",
                                                     "cudaMemcpy3DAsync",
                                                     "cudaMemcpyAsync",
                                                     "cudaMemcpyBatchAsync",
                                                     "cudaMemcpyPeerAsync",
                                                     "cudaMemcpyToSymbolAsync",
                                                     "cudaMemset",
                                                     "cudaMemsetAsync",
                                                     "cudaPointerGetAttributes",
                                                     "cudaRuntimeGetVersion",
                                                     "cudaSetDevice",
                                                     "cudaSetDeviceFlags",
                                                     "cudaStreamAddCallback",
                                                     "cudaStreamCreateWithFlags",
                                                     "cudaStreamDestroy",
                                                     "cudaStreamGetFlags",
                                                     "cudaStreamQuery",
                                                     "cudaStreamSynchronize",
                                                     "cudaStreamWaitEvent"};
constexpr std::array<std::string_view, 12> writers{
    "cudaGraphLaunch",     "cudaLaunchKernel",        "cudaMemcpy",      "cudaMemcpy2D",
    "cudaMemcpy2DAsync",   "cudaMemcpy3DAsync",       "cudaMemcpyAsync", "cudaMemcpyBatchAsync",
    "cudaMemcpyPeerAsync", "cudaMemcpyToSymbolAsync", "cudaMemset",      "cudaMemsetAsync"};

template <std::size_t count>
bool contains(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

class FaultParser {
 public:
  explicit FaultParser(std::string_view text) : text_(text), parts_(split(text, ':')) {}

  [[nodiscard]] Fault parse() const {
    const auto kind = parse_enum<FaultKind>(part(0), fault_kind_names);
    require(kind.has_value(), "unknown kind");
    require(contains(functions, part(1)), "the simulator has no such function");
    require(kind != FaultKind::trap || part(1) == "cudaLaunchKernel", "only a kernel can trap");
    require(kind != FaultKind::corrupt || contains(writers, part(1)),
            "only a copy, a memset or a kernel can be corrupted");
    Fault fault{.kind = *kind, .api = std::string(part(1))};
    if (fault.kind == FaultKind::slow) {
      fault.factor = parse_number<double>(part(2)).value_or(0);
      fault.and_later = true;
      require(fault.factor > 0 && fault.factor <= 1e6, "expected a factor above 0, up to 1e6");
      require(parts_.size() == 3, "too many parts");
      return fault;
    }
    parse_nth(fault);
    parse_detail(fault);
    return fault;
  }

 private:
  [[nodiscard]] std::string_view part(std::size_t i) const {
    return i < parts_.size() ? parts_[i] : std::string_view{};
  }

  void require(bool good, const char* complaint) const {
    if (!good) {
      throw std::invalid_argument("COPYBENCH_SIM_FAULT: \"" + std::string(text_) +
                                  "\": " + complaint);
    }
  }

  void parse_nth(Fault& fault) const {
    std::string_view nth = part(2);
    fault.and_later = nth.ends_with('+');
    nth.remove_suffix(fault.and_later ? 1 : 0);
    fault.first = parse_number<std::uint64_t>(nth).value_or(0);
    require(fault.first > 0, "expected the number of a call, from 1");
  }

  void parse_detail(Fault& fault) const {
    require(parts_.size() <= (fault.kind == FaultKind::hang ? 3U : 4U), "too many parts");
    if (parts_.size() < 4) {
      return;
    }
    if (fault.kind == FaultKind::corrupt) {
      const auto byte = parse_number<std::int64_t>(part(3));
      require(byte.has_value(), "expected the number of a byte");
      fault.byte = *byte;
    } else {
      const auto error = find_error(part(3));
      require(error && *error != cudaSuccess, "unknown error");
      fault.error = *error;
    }
  }

  std::string_view text_;
  std::vector<std::string_view> parts_;
};

}  // namespace

bool Fault::strikes(std::string_view called, std::uint64_t nth) const {
  return api == called && (nth == first || (and_later && nth > first));
}

std::vector<Fault> parse_faults(std::string_view text) {
  std::vector<Fault> faults;
  for (const std::string_view one : split(text, ';')) {
    faults.push_back(FaultParser(one).parse());
  }
  return faults;
}

bool is_counted(std::string_view api) { return contains(functions, api); }

std::size_t corrupted_index(std::int64_t byte, std::size_t bytes) {
  const auto size = static_cast<std::int64_t>(bytes);
  return static_cast<std::size_t>((byte % size + size) % size);
}

}  // namespace copybench::simulator
