// SPDX-License-Identifier: Apache-2.0
// What NVTX loads in place of a profiler (NVTX_INJECTION64_PATH): writes down the ranges that a
// program pushes and pops, one a line, in the file that COPYBENCH_NVTX_LOG names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace {

void log_line(const char* what, const char* name) {
  if (std::FILE* file = std::fopen(std::getenv("COPYBENCH_NVTX_LOG"), "a")) {
    (void)std::fprintf(file, "%s %s\n", what, name);
    (void)std::fclose(file);
  }
}

int domain_of_ours = 0;

nvtxDomainHandle_t create_domain(const char* name) {
  log_line("domain", name);
  return reinterpret_cast<nvtxDomainHandle_t>(&domain_of_ours);
}

int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  const bool is_ours = domain == reinterpret_cast<nvtxDomainHandle_t>(&domain_of_ours);
  log_line(is_ours ? "push" : "stray", attributes->message.ascii);
  return 0;
}

int pop(nvtxDomainHandle_t domain) {
  log_line(domain == reinterpret_cast<nvtxDomainHandle_t>(&domain_of_ours) ? "pop" : "stray", "");
  return 0;
}

template <typename Function>
void replace(NvtxFunctionTable table, int index, Function function) {
  *table[index] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

// NVTX looks for this name.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t export_table) {
  log_line("initialize", "");
  const auto* callbacks =
      static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned int size = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) != 1 ||
      size < NVTX_CBID_CORE2_SIZE) {
    return 0;
  }
  replace(table, NVTX_CBID_CORE2_DomainCreateA, create_domain);
  replace(table, NVTX_CBID_CORE2_DomainRangePushEx, push);
  replace(table, NVTX_CBID_CORE2_DomainRangePop, pop);
  return 1;
}
#endif
