// SPDX-License-Identifier: Apache-2.0
#include "simulator/call.hpp"

#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <thread>

#include "common/measurement/clock.hpp"
#include "simulator/activity_log.hpp"
#include "simulator/model.hpp"
#include "simulator/progress.hpp"
#include "simulator/quit.hpp"
#include "simulator/report.hpp"

namespace copybench::simulator {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local bool in_host_function = false;

std::vector<Fault> read_faults() {
  const char* const text = std::getenv("COPYBENCH_SIM_FAULT");
  try {
    return parse_faults(text == nullptr ? "" : text);
  } catch (const std::exception& error) {
    quit(error.what());
  }
}

// Never destroyed: static objects of the program make their last calls late.
const std::vector<Fault>& faults() {
  static const auto* const of_process = new std::vector<Fault>(read_faults());
  return *of_process;
}

[[noreturn]] void hang() {
  while (true) {
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

// Counts the call and lets the faults befall it. Throws when one refuses it.
CallFaults enter(const char* api) {
  const std::uint64_t nth = count_call(api);
  if (nth == 1 && !is_counted(api)) {
    quit(std::string("a fault cannot name ") + api);
  }
  CallFaults result;
  for (const Fault& fault : faults()) {
    if (!fault.strikes(api, nth)) {
      continue;
    }
    count_fault();
    switch (fault.kind) {
      case FaultKind::fail:
        throw Refusal{fault.error};
      case FaultKind::lose:
        lose_context(fault.error);
        throw Refusal{fault.error};
      case FaultKind::hang:
        hang();
      case FaultKind::slow:
        result.slowness = fault.factor;
        break;
      case FaultKind::corrupt:
        result.corrupt_byte = fault.byte;
        break;
      case FaultKind::trap:
        result.trap = fault.error;
        break;
    }
  }
  return result;
}

// Not ready is an answer, not an error: it does not become the last error.
cudaError_t remember(cudaError_t code) {
  if (code != cudaSuccess && code != cudaErrorNotReady) {
    last_error = code;
  }
  return code;
}

struct CallKind {
  bool needs_context = true;
  bool enqueues = false;
  bool works_in_host_functions = false;
};

cudaError_t run(const char* api, CallKind kind, const CallBody& body) noexcept {
  const RecordedCall recorded(api);
  if (in_host_function && !kind.works_in_host_functions) {
    return remember(cudaErrorNotPermitted);
  }
  try {
    const TimePoint begin = now();
    const CallFaults befallen = enter(api);
    if (kind.needs_context) {
      require_context();
    }
    body(befallen);
    if (kind.enqueues) {
      spin_until(begin + microseconds(model().call_us * befallen.slowness));
    }
    return cudaSuccess;
  } catch (const Refusal& refusal) {
    return remember(refusal.code);
  } catch (const std::bad_alloc&) {
    return remember(cudaErrorMemoryAllocation);
  } catch (const std::exception&) {
    return remember(cudaErrorUnknown);
  }
}

}  // namespace

cudaError_t run_call(const char* api, const CallBody& body) noexcept { return run(api, {}, body); }

cudaError_t run_contextless_call(const char* api, const CallBody& body) noexcept {
  return run(api, {.needs_context = false}, body);
}

cudaError_t run_enqueueing_call(const char* api, const CallBody& body) noexcept {
  return run(api, {.enqueues = true}, body);
}

cudaError_t run_query(const char* api, const CallBody& body) noexcept {
  return run(api, {.works_in_host_functions = true}, body);
}

bool is_in_host_function() noexcept { return in_host_function; }

HostFunctionScope::HostFunctionScope() { in_host_function = true; }
HostFunctionScope::~HostFunctionScope() { in_host_function = false; }

}  // namespace copybench::simulator

namespace {

// A lost context shows in every query of the last error, and cannot be cleared.
cudaError_t current_error(bool clear) {
  using namespace copybench::simulator;
  const cudaError_t lost = context_error();
  const cudaError_t code = lost == cudaSuccess ? last_error : lost;
  if (clear) {
    last_error = cudaSuccess;
  }
  return code;
}

}  // namespace

cudaError_t cudaGetLastError() { return current_error(true); }
cudaError_t cudaPeekAtLastError() { return current_error(false); }
