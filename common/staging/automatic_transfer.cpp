// SPDX-License-Identifier: Apache-2.0
#include "common/staging/automatic_transfer.hpp"

#include "common/cuda/copy.hpp"

namespace copybench {

void AutomaticTransfer::to_device(std::byte* destination, const std::byte* source,
                                  std::size_t bytes, StreamView stream) {
  if (is_staged_to_device(bytes)) {
    staging_.to_device(destination, source, bytes, stream);
  } else {
    copy_async(destination, source, bytes, Direction::h2d, stream);
  }
}

void AutomaticTransfer::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                                StreamView stream) {
  staging_.to_host(destination, source, bytes, stream);
}

}  // namespace copybench
