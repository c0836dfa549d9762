// SPDX-License-Identifier: Apache-2.0
#include "common/cupti/activity_buffers.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
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

std::atomic<std::size_t>& lost() {
  static std::atomic<std::size_t> records = 0;
  return records;
}

// No exception may pass through CUPTI.
void take(const CUpti_Activity& record) noexcept {
  try {
    taker()(record);
  } catch (const std::exception&) {
    ++lost();
  }
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                          std::size_t /*size*/, std::size_t valid_bytes) {
  CUpti_Activity* record = nullptr;
  while (valid_bytes > 0 &&
         cuptiActivityGetNextRecord(buffer, valid_bytes, &record) == CUPTI_SUCCESS) {
    take(*record);
  }
  std::size_t dropped = 0;
  if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS) {
    lost() += dropped;
  }
  std::free(buffer);
}

}  // namespace

void take_activity_records(std::function<void(const CUpti_Activity&)> take) {
  taker() = std::move(take);
  check_cupti(cuptiActivityRegisterCallbacks(give_buffer, take_buffer),
              "cuptiActivityRegisterCallbacks");
}

void flush_activity_records() {
  check_cupti(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
  if (const std::size_t records = lost().exchange(0); records > 0) {
    throw std::runtime_error("CUPTI lost " + std::to_string(records) +
                             " records for want of memory");
  }
}

}  // namespace copybench
