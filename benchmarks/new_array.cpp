// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/new_array.hpp"

#include <exception>
#include <utility>

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"

namespace copybench {

NewArray::NewArray(Allocation allocation, std::size_t bytes)
    : allocation_(allocation), bytes_(bytes) {
  if (allocation == Allocation::pooled) {
    pool_.emplace();
  }
}

NewArray::~NewArray() {
  try {
    free();
  } catch (const std::exception&) {
    // The context is lost, and the memory with it.
    data_ = nullptr;
  }
}

std::byte* NewArray::allocate(StreamView stream) {
  stream_ = stream.get();
  void* memory = nullptr;
  switch (allocation_) {
    case Allocation::malloc:
      check(cudaMalloc(&memory, bytes_), "cudaMalloc");
      break;
    case Allocation::malloc_async:
      check(cudaMallocAsync(&memory, bytes_, stream_), "cudaMallocAsync");
      break;
    case Allocation::pooled:
      memory = pool_ ? pool_->allocate(bytes_, stream) : nullptr;
      break;
    case Allocation::fresh:
      memory = fresh_.emplace(bytes_, false).bytes().data();
      break;
    case Allocation::none:
      break;
  }
  data_ = static_cast<std::byte*>(memory);
  return data_;
}

void NewArray::free() {
  std::byte* const memory = std::exchange(data_, nullptr);
  if (memory == nullptr) {
    return;
  }
  switch (allocation_) {
    case Allocation::malloc:
      check(cudaFree(memory), "cudaFree");
      return;
    case Allocation::malloc_async:
    case Allocation::pooled:
      check(cudaFreeAsync(memory, stream_), "cudaFreeAsync");
      return;
    case Allocation::fresh:
      fresh_.reset();
      return;
    case Allocation::none:
      return;
  }
}

}  // namespace copybench
