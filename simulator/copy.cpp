// SPDX-License-Identifier: Apache-2.0
#include "simulator/copy.hpp"

#include <optional>

#include "simulator/call.hpp"
#include "simulator/memory.hpp"

namespace copybench::simulator {
namespace {

bool is_device_side(const std::optional<Block>& block) {
  return block && (block->kind == BlockKind::device || block->kind == BlockKind::managed);
}
bool is_host_side(const std::optional<Block>& block) {
  return !block || block->kind != BlockKind::device;
}

cudaMemcpyKind kind_of(const std::optional<Block>& destination,
                       const std::optional<Block>& source) {
  if (is_device_side(source)) {
    return is_device_side(destination) ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
  }
  return is_device_side(destination) ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost;
}

bool fits(bool destination_on_device, bool source_on_device,
          const std::optional<Block>& destination, const std::optional<Block>& source) {
  return (destination_on_device ? is_device_side(destination) : is_host_side(destination)) &&
         (source_on_device ? is_device_side(source) : is_host_side(source));
}

}  // namespace

Copy classify(void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  return classify_rows(destination, bytes, source, bytes, bytes, 1, kind);
}

Copy classify_rows(void* destination, std::size_t destination_pitch, const void* source,
                   std::size_t source_pitch, std::size_t width, std::size_t height,
                   cudaMemcpyKind kind) {
  require(destination != nullptr && source != nullptr);
  require(width <= destination_pitch && width <= source_pitch, cudaErrorInvalidPitchValue);
  const auto to = find_range(destination, destination_pitch * (height - 1) + width);
  const auto from = find_range(source, source_pitch * (height - 1) + width);
  switch (kind) {
    case cudaMemcpyHostToDevice:
      require(fits(true, false, to, from));
      break;
    case cudaMemcpyDeviceToHost:
      require(fits(false, true, to, from));
      break;
    case cudaMemcpyDeviceToDevice:
      require(fits(true, true, to, from));
      break;
    case cudaMemcpyHostToHost:
      require(fits(false, false, to, from));
      break;
    case cudaMemcpyDefault:
      kind = kind_of(to, from);
      break;
    default:
      throw Refusal{cudaErrorInvalidMemcpyDirection};
  }
  const auto is_managed = [](const auto& block) {
    return block && block->kind == BlockKind::managed;
  };
  return {.destination = static_cast<std::byte*>(destination),
          .source = static_cast<const std::byte*>(source),
          .bytes = width * height,
          .width = width,
          .destination_pitch = destination_pitch,
          .source_pitch = source_pitch,
          .kind = kind,
          .pageable = !to || !from,
          .managed = is_managed(to) || is_managed(from)};
}

}  // namespace copybench::simulator
