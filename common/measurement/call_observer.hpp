// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace copybench {

/// Is told of every call whose blocked time BlockedCall takes, from just outside the timed region,
/// on the thread that makes the call.
class CallObserver {
 public:
  CallObserver() = default;
  virtual ~CallObserver() = default;
  CallObserver(const CallObserver&) = delete;
  CallObserver& operator=(const CallObserver&) = delete;
  CallObserver(CallObserver&&) = delete;
  CallObserver& operator=(CallObserver&&) = delete;

  virtual void begin_call() noexcept = 0;
  virtual void end_call() noexcept = 0;
};

/// Null unless somebody watches, which is set before the first sample and costs the others a
/// comparison.
inline CallObserver* call_observer = nullptr;

/// The scope that holds a timed region: both readings of the clock and the call between them.
class ObservedCall {
 public:
  ObservedCall() noexcept {
    if (call_observer != nullptr) [[unlikely]] {
      call_observer->begin_call();
    }
  }
  ~ObservedCall() {
    if (call_observer != nullptr) [[unlikely]] {
      call_observer->end_call();
    }
  }
  ObservedCall(const ObservedCall&) = delete;
  ObservedCall& operator=(const ObservedCall&) = delete;
  ObservedCall(ObservedCall&&) = delete;
  ObservedCall& operator=(ObservedCall&&) = delete;
};

}  // namespace copybench
