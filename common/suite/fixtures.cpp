// SPDX-License-Identifier: Apache-2.0
#include "common/suite/fixtures.hpp"

namespace copybench {

Region Fixtures::region(MemoryKind kind, Role role, std::size_t bytes) {
  std::unique_ptr<Buffer>& buffer = buffers_[{kind, role}];
  if (buffer == nullptr || buffer->size() < bytes + canary_bytes) {
    buffer.reset();  // the smaller one goes first: both may not fit together
    buffer = std::make_unique<Buffer>(kind, bytes + canary_bytes);
  }
  return {kind, buffer->data(), bytes};
}

Region Fixtures::peer_region(std::size_t bytes) {
  if (peer_ == nullptr || peer_->size() < bytes + canary_bytes) {
    peer_.reset();
    peer_ = std::make_unique<PeerMemory>(bytes + canary_bytes);
  }
  return {MemoryKind::device, peer_->data(), bytes};
}

StreamView Fixtures::stream(StreamKind kind) {
  return streams_.try_emplace({kind, false}, kind).first->second;
}

StreamView Fixtures::other_stream(StreamKind kind) {
  return streams_.try_emplace({kind, true}, kind).first->second;
}

}  // namespace copybench
