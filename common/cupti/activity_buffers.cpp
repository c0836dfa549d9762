// SPDX-License-Identifier: Apache-2.0
#include "common/cupti/activity_buffers.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "common/cupti/cupti_check.hpp"

namespace copybench {
namespace {

// CUPTI keeps the callbacks to the end of the process, and they have no argument for an object.
std::function<void(const CUpti_Activity&)>& taker() {
  static auto* const of_process = new std::function<void(const CUpti_Activity&)>;
  return *of_process;
}

// Room for more than a batch, so that no buffer is handed over between two samples.
constexpr std::size_t buffer_bytes = std::size_t{16} << 20U;
constexpr std::size_t buffer_alignment = 8;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *most_records = 0;
}

void CUPTIAPI take_buffer(CUcontext /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer,
                          std::size_t /*size*/, std::size_t valid_bytes) {
  CUpti_Activity* record = nullptr;
  while (valid_bytes > 0 &&
         cuptiActivityGetNextRecord(buffer, valid_bytes, &record) == CUPTI_SUCCESS) {
    taker()(*record);
  }
  std::free(buffer);
}

}  // namespace

void take_activity_records(std::function<void(const CUpti_Activity&)> take) {
  taker() = std::move(take);
  check_cupti(cuptiActivityRegisterCallbacks(give_buffer, take_buffer),
              "cuptiActivityRegisterCallbacks");
}

}  // namespace copybench
