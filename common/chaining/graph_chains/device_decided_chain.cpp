// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/graph_chains/device_decided_chain.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <cuda_runtime_api.h>

#include "common/chaining/elements_asked.hpp"
#include "common/cuda/device_view.hpp"

namespace copybench {
namespace {

// A program with two or three buffers in turn finds each of them.
constexpr std::size_t most_copiers = 8;

bool is_same(const ChainRequest& one, const ChainRequest& other) {
  return one.device_size == other.device_size && one.host_size == other.host_size &&
         one.device_data == other.device_data && one.host_data == other.host_data &&
         one.capacity == other.capacity;
}

CountedCopy counted_copy_of(const ChainRequest& request) {
  return {.device_size = request.device_size,
          .host_size = static_cast<std::int32_t*>(device_view(request.host_size)),
          .source = request.device_data,
          .destination = static_cast<double*>(device_view(request.host_data)),
          .capacity = request.capacity};
}

}  // namespace

DeviceDecidedChain::~DeviceDecidedChain() {
  // After an error nothing runs any more, and a destructor has nobody to tell.
  (void)cudaEventSynchronize(done_.get());
  (void)cudaGetLastError();
}

CountedCopier& DeviceDecidedChain::copier_for(const ChainRequest& request) {
  const auto found =
      std::ranges::find_if(copiers_, [&](const auto& one) { return is_same(one.first, request); });
  if (found != copiers_.end()) {
    std::rotate(found, found + 1, copiers_.end());
    return *copiers_.back().second;
  }
  if (copiers_.size() == most_copiers) {
    done_.sync();
    copiers_.pop_front();
  }
  return *copiers_.emplace_back(request, make_(counted_copy_of(request))).second;
}

void DeviceDecidedChain::begin(const ChainRequest& request) {
  request_.reset();
  if (request.element_bytes != sizeof(double)) {
    throw std::invalid_argument(
        "where the device decides how much is copied, elements are doubles");
  }
  copier_for(request).enqueue(stream());
  done_.record(stream());
  request_ = request;
}

void DeviceDecidedChain::complete() {
  done_.sync();
  // Nobody asks for this request again: its memory may be gone by then.
  if (const auto request = std::exchange(request_, std::nullopt)) {
    (void)elements_asked(*request);
  }
}

}  // namespace copybench
