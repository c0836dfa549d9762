// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "common/chain_kernels.hpp"
#include "common/chaining/chain.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// Work that reads the size on the device and copies so much: made for one request, and enqueued as
/// often as that is made.
class CountedCopier {
 public:
  CountedCopier() = default;
  virtual ~CountedCopier() = default;
  CountedCopier(const CountedCopier&) = delete;
  CountedCopier& operator=(const CountedCopier&) = delete;
  CountedCopier(CountedCopier&&) = delete;
  CountedCopier& operator=(CountedCopier&&) = delete;

  /// Does not wait for the device. Throws CudaError.
  virtual void enqueue(StreamView stream) = 0;
};

using MakeCopier = std::function<std::unique_ptr<CountedCopier>(const CountedCopy&)>;

/// The strategies in which the device decides how much is copied, and the host learns it when all
/// has arrived. The first start() of a request makes the copier for it, which takes time for a
/// graph; later ones only enqueue it. No thread, no host function: an error before the chain shows
/// in finish() as it does in any synchronise.
///
/// What cannot be built that way: a copy that waits in the stream for its size. The bytes of a
/// cudaMemcpyAsync, and those of a memcpy node of a graph that was launched, are settled when it is
/// enqueued. A wait in front of it (cuStreamWaitValue32) puts it off and changes nothing about it,
/// and an update of the graph affects later launches alone. So whoever sets the size from the
/// outside has to enqueue the copy as well: the host, when it knows (graph_update), or a thread of
/// its own (host_func_worker). From inside, only parameters of kernel nodes can be changed.
class DeviceDecidedChain final : public Chain {
 public:
  DeviceDecidedChain(StreamView stream, MakeCopier make) : Chain(stream), make_(std::move(make)) {}
  /// Waits for the chain in flight, which uses the copiers.
  ~DeviceDecidedChain() override;
  DeviceDecidedChain(const DeviceDecidedChain&) = delete;
  DeviceDecidedChain& operator=(const DeviceDecidedChain&) = delete;
  DeviceDecidedChain(DeviceDecidedChain&&) = delete;
  DeviceDecidedChain& operator=(DeviceDecidedChain&&) = delete;

 private:
  void begin(const ChainRequest& request) override;
  /// Throws std::out_of_range when the device asked for more than the capacity, and got nothing.
  void complete() override;
  CountedCopier& copier_for(const ChainRequest& request);

  MakeCopier make_;
  Event done_;
  std::optional<ChainRequest> request_;
  /// Those of the latest requests.
  std::deque<std::pair<ChainRequest, std::unique_ptr<CountedCopier>>> copiers_;
};

}  // namespace copybench
