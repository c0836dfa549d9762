// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/stream.hpp"

#include "common/cuda/check.hpp"

namespace copybench {

void StreamView::sync() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

bool StreamView::is_done() const {
  const cudaError_t code = cudaStreamQuery(stream_);
  if (code == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  check(code, "cudaStreamQuery");
  return true;
}

Stream::Stream(StreamKind kind) {
  switch (kind) {
    case StreamKind::legacy:
      stream_ = cudaStreamLegacy;
      return;
    case StreamKind::per_thread:
      stream_ = cudaStreamPerThread;
      return;
    case StreamKind::blocking:
    case StreamKind::nonblocking:
      break;
  }
  const unsigned flags =
      kind == StreamKind::nonblocking ? cudaStreamNonBlocking : cudaStreamDefault;
  check(cudaStreamCreateWithFlags(&stream_, flags), "cudaStreamCreateWithFlags");
  owned_.reset(stream_);
}

void Stream::Destroy::operator()(cudaStream_t stream) const noexcept {
  (void)cudaStreamDestroy(stream);
}

}  // namespace copybench
