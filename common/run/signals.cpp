// SPDX-License-Identifier: Apache-2.0
#include "common/run/signals.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

#include "common/run/exit_status.hpp"
#include "common/run/message.hpp"

namespace copybench {
namespace {

constexpr std::array<std::pair<int, std::string_view>, 3> ending_signals{
    {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}}};

bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// A signal handler, in which nothing may be allocated.
void end_at_once(int signal) {
  for (const std::string_view part :
       {std::string_view("copybench: ended by "), signal_name(signal), std::string_view("\n")}) {
    (void)write_all(STDERR_FILENO, part);
  }
  std::_Exit(exit_signal + signal);
}

// A signal handler as well.
void end_of_watch(int /*signal*/) {
  (void)write_all(STDERR_FILENO,
                  "copybench: giving back the device: no progress (--copybench_watchdog)\n");
  std::_Exit(exit_failed);
}

}  // namespace

void ignore_write_signals() {
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
}

void occupy_closed_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
      // The lowest number that is free, which is this one.
      (void)open("/dev/null", O_RDONLY);
    }
  }
}

sigset_t hold_back_signals() {
  sigset_t signals;
  (void)sigemptyset(&signals);
  for (const auto& [signal, name] : ending_signals) {
    // A blocked signal reaches sigtimedwait() even when it is ignored.
    if (!is_ignored(signal)) {
      (void)sigaddset(&signals, signal);
    }
  }
  (void)pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void release_signals(const sigset_t& signals) {
  for (const auto& [signal, name] : ending_signals) {
    if (sigismember(&signals, signal) == 1) {
      (void)std::signal(signal, end_at_once);
    }
  }
  const timespec no_time{};
  while (sigtimedwait(&signals, nullptr, &no_time) > 0) {
  }
  (void)pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void end_after(Nanoseconds time) {
  using std::chrono::duration_cast;
  (void)std::signal(SIGALRM, end_of_watch);
  const auto seconds = duration_cast<std::chrono::seconds>(time);
  itimerval timer{};
  timer.it_value.tv_sec = seconds.count();
  timer.it_value.tv_usec = duration_cast<std::chrono::microseconds>(time - seconds).count();
  (void)setitimer(ITIMER_REAL, &timer, nullptr);
}

std::string_view signal_name(int signal) {
  for (const auto& [number, name] : ending_signals) {
    if (number == signal) {
      return name;
    }
  }
  return "a signal";
}

}  // namespace copybench
