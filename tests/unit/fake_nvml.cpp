// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 with one GPU, at 0000:1B:00.0, in the signatures of nvml.h. It lacks
// functions, as older libraries do.
#include <cstdint>
#include <cstring>

namespace {

constexpr unsigned success = 0;
constexpr unsigned invalid_argument = 2;
constexpr unsigned not_supported = 3;
constexpr unsigned not_found = 6;
constexpr unsigned lost = 15;

int gpu = 0;
int users = 0;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

int copybench_fake_nvml_users() { return users; }

unsigned nvmlInit_v2() {
  ++users;
  return success;
}
unsigned nvmlShutdown() {
  --users;
  return success;
}
unsigned nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
  // A handle beside a failure must not be used.
  *device = &users;
  if (std::strcmp(address, "0000:1B:00.0") != 0) {
    return not_found;
  }
  *device = &gpu;
  return success;
}
unsigned nvmlSystemGetDriverVersion(char* version, unsigned length) {
  std::strncpy(version, "580.65.06", length);
  return success;
}
unsigned nvmlSystemGetConfComputeState(unsigned* state) {
  state[0] = 2;
  state[1] = 1;
  state[2] = 1;
  return success;
}
unsigned nvmlDeviceGetCurrPcieLinkGeneration(void* device, unsigned* generation) {
  *generation = 5;
  return device == &gpu ? success : invalid_argument;
}
unsigned nvmlDeviceGetMaxPcieLinkGeneration(void* /*device*/, unsigned* generation) {
  *generation = 0;
  return success;
}
unsigned nvmlDeviceGetCurrPcieLinkWidth(void* /*device*/, unsigned* width) {
  *width = 7;
  return lost;
}
unsigned nvmlDeviceGetEccMode(void* /*device*/, unsigned* current, unsigned* pending) {
  *current = 1;
  *pending = 0;
  return success;
}
unsigned nvmlDeviceGetMigMode(void* /*device*/, unsigned* /*current*/, unsigned* /*pending*/) {
  return not_supported;
}
unsigned nvmlDeviceGetPersistenceMode(void* /*device*/, unsigned* mode) {
  *mode = 7;
  return success;
}
unsigned nvmlDeviceGetClockInfo(void* /*device*/, unsigned clock, unsigned* megahertz) {
  *megahertz = clock == 1 ? 1980 : 3201;
  return success;
}
unsigned nvmlDeviceGetCurrentClocksThrottleReasons(void* /*device*/, std::uint64_t* mask) {
  *mask = 0x5;
  return success;
}
unsigned nvmlDeviceGetBAR1MemoryInfo(void* /*device*/, std::uint64_t* sizes) {
  sizes[0] = 274877906944;
  sizes[1] = 1;
  sizes[2] = 2;
  return success;
}
unsigned nvmlDeviceGetVbiosVersion(void* /*device*/, char* version, unsigned length) {
  // Longer than the buffer and without an end.
  std::memset(version, 'v', length);
  return success;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
