// SPDX-License-Identifier: Apache-2.0
#include "common/staging/array_transfer.hpp"

#include <stdexcept>
#include <utility>

#include "common/staging/automatic_transfer.hpp"
#include "common/staging/double_buffered.hpp"
#include "common/staging/driver_transfers.hpp"
#include "common/staging/parallel_staging.hpp"
#include "common/staging/pinning_transfers.hpp"
#include "common/staging/single_staging.hpp"

namespace copybench {
namespace {

// Those that stage are classes of their own, for others to lift out; here they get the interface.
template <typename Staging>
class Staged final : public ArrayTransfer {
 public:
  template <typename... Arguments>
  explicit Staged(Arguments&&... arguments) : staging_(std::forward<Arguments>(arguments)...) {}

  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream) override {
    staging_.to_device(destination, source, bytes, stream);
  }
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream) override {
    staging_.to_host(destination, source, bytes, stream);
  }

 private:
  Staging staging_;
};

}  // namespace

std::unique_ptr<ArrayTransfer> make_array_transfer(ArrayStrategy strategy,
                                                   const ParallelStagingSettings& settings) {
  switch (strategy) {
    case ArrayStrategy::driver_pageable:
    case ArrayStrategy::driver_pinned:
      return std::make_unique<AsyncTransfer>();
    case ArrayStrategy::driver_pageable_sync:
      return std::make_unique<SynchronousTransfer>();
    case ArrayStrategy::pin_copy:
      return std::make_unique<PinCopyTransfer>();
    case ArrayStrategy::register_in_place:
      return std::make_unique<RegisterTransfer>();
    case ArrayStrategy::staged_single:
      return std::make_unique<Staged<SingleStaging>>();
    case ArrayStrategy::staged_double_buffered:
      return std::make_unique<Staged<DoubleBufferedStaging>>();
    case ArrayStrategy::staged_parallel:
      return std::make_unique<Staged<ParallelStaging>>(settings);
    case ArrayStrategy::mapped_kernel:
      return std::make_unique<MappedTransfer>();
    case ArrayStrategy::managed_prefetch:
      return std::make_unique<PrefetchTransfer>();
    case ArrayStrategy::automatic:
      return std::make_unique<AutomaticTransfer>(settings);
  }
  throw std::invalid_argument("no such strategy");
}

}  // namespace copybench
