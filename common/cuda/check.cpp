// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/check.hpp"

#include <filesystem>

namespace copybench {
namespace {

std::string describe(cudaError_t code, std::string_view api, const std::source_location& place) {
  std::string text(api);
  text += ": ";
  text += cudaGetErrorName(code);
  text += " (";
  text += cudaGetErrorString(code);
  text += ") at ";
  text += std::filesystem::path(place.file_name()).filename().string();
  text += ":" + std::to_string(place.line());
  return text;
}

}  // namespace

CudaError::CudaError(cudaError_t code, std::string_view api, const std::source_location& place)
    : std::runtime_error(describe(code, api, place)), code_(code), api_(api) {}

void check(cudaError_t code, std::string_view api, const std::source_location& place) {
  if (code == cudaSuccess) {
    return;
  }
  (void)cudaGetLastError();
  throw CudaError(code, api, place);
}

bool context_is_lost() noexcept {
  (void)cudaGetLastError();
  // Freeing a null pointer touches the context and nothing else.
  const cudaError_t code = cudaFree(nullptr);
  (void)cudaGetLastError();
  return code != cudaSuccess;
}

}  // namespace copybench
