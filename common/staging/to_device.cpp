// SPDX-License-Identifier: Apache-2.0
#include "common/staging/to_device.hpp"

#include "common/cuda/copy.hpp"

namespace copybench {

void to_device(ToDeviceStrategy strategy, std::byte* destination, const std::byte* source,
               std::size_t bytes, StreamView stream, DoubleBufferedStaging& staging) {
  switch (strategy) {
    case ToDeviceStrategy::driver_pageable:
    case ToDeviceStrategy::driver_pinned:
      copy_async(destination, source, bytes, Direction::h2d, stream);
      return;
    case ToDeviceStrategy::driver_pageable_sync:
      copy(destination, source, bytes, Direction::h2d);
      return;
    case ToDeviceStrategy::staged_double_buffered:
      staging.to_device(destination, source, bytes, stream);
      return;
  }
}

}  // namespace copybench
