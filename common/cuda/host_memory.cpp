// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/host_memory.hpp"

#include <alloca.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>
#include <semaphore>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace copybench {
namespace {

// Huge pages need memory aligned to one; ordinary buffers are aligned the same way, so that the
// kinds differ in their kind alone.
constexpr std::size_t alignment = std::size_t{2} << 20U;

constexpr std::size_t page = 4096;

struct Frame {
  std::size_t bytes;
  std::byte* memory = nullptr;
  std::binary_semaphore lent{0};
  std::binary_semaphore returned{0};
  pthread_t thread{};
};

void* lend_frame(void* argument) {
  auto& frame = *static_cast<Frame*>(argument);
  std::size_t room = frame.bytes + alignment;
  void* memory = alloca(room);
  (void)std::align(page, frame.bytes, memory, room);
  std::memset(memory, 0, frame.bytes);
  frame.memory = static_cast<std::byte*>(memory);
  frame.lent.release();
  frame.returned.acquire();
  return nullptr;
}

std::mutex frames_mutex;
std::map<std::byte*, std::unique_ptr<Frame>>& frames() {
  static std::map<std::byte*, std::unique_ptr<Frame>> lent;
  return lent;
}

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

}  // namespace

std::byte* allocate_heap(std::size_t bytes, bool huge_pages) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  (void)madvise(memory, rounded, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  std::memset(memory, 0, bytes);
  return static_cast<std::byte*>(memory);
}

void free_heap(std::byte* memory) noexcept { std::free(memory); }

std::byte* map_file(std::size_t bytes) {
  const std::string directory = std::filesystem::temp_directory_path();
  std::string path = directory + "/copybench-XXXXXX";
  const int file = mkostemp(path.data(), O_CLOEXEC);
  if (file == -1) {
    fail(errno, directory);
  }
  (void)unlink(path.c_str());
  // Not ftruncate: a page of a hole that finds the disk full is a signal, not an error.
  if (const int error = posix_fallocate(file, 0, static_cast<off_t>(bytes)); error != 0) {
    (void)close(file);
    fail(error, directory);
  }
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int error = errno;
  (void)close(file);
  if (memory == MAP_FAILED) {
    fail(error, "mmap");
  }
  std::memset(memory, 0, bytes);
  return static_cast<std::byte*>(memory);
}

void unmap_file(std::byte* memory, std::size_t bytes) noexcept { (void)munmap(memory, bytes); }

std::byte* borrow_stack(std::size_t bytes) {
  auto frame = std::make_unique<Frame>(bytes);
  pthread_attr_t attributes{};
  (void)pthread_attr_init(&attributes);
  (void)pthread_attr_setstacksize(&attributes, (bytes / alignment + 3) * alignment);
  const int error = pthread_create(&frame->thread, &attributes, lend_frame, frame.get());
  (void)pthread_attr_destroy(&attributes);
  if (error != 0) {
    throw std::bad_alloc();
  }
  frame->lent.acquire();
  std::byte* const memory = frame->memory;
  const std::scoped_lock lock(frames_mutex);
  frames().emplace(memory, std::move(frame));
  return memory;
}

void give_back_stack(std::byte* memory) noexcept {
  const std::scoped_lock lock(frames_mutex);
  const auto found = frames().find(memory);
  if (found == frames().end()) {
    return;
  }
  found->second->returned.release();
  (void)pthread_join(found->second->thread, nullptr);
  frames().erase(found);
}

}  // namespace copybench
