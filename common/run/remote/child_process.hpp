// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <sys/types.h>

#include "common/run/remote/line.hpp"

namespace copybench {

/// The other process is gone, or says what means nothing. what() is one line.
class ChildError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file descriptor, -1 for none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  [[nodiscard]] int get() const noexcept { return number_; }
  void reset(int number = -1) noexcept;

 private:
  int number_ = -1;
};

/// This program once more, as a child that answers each line on its standard input with a line on
/// its standard output. It shares standard error, and nothing else that is open. Like every thread
/// of this process it does not get SIGINT, SIGTERM and SIGHUP (signals.hpp): they are for the
/// parent to answer. Not thread-safe.
class ChildProcess {
 public:
  /// Starts it with `argument` as its only one, and with `variables` added to the environment.
  /// Throws ChildError.
  ChildProcess(const std::string& argument, const std::map<std::string, std::string>& variables);
  /// Kills it, and waits until it is gone: whatever it holds is given back by then.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess(ChildProcess&&) = delete;
  ChildProcess& operator=(ChildProcess&&) = delete;

  /// Sends a line and waits for the answer, however long that takes. Throws ChildError.
  [[nodiscard]] Words ask(const Words& request);

 private:
  [[nodiscard]] std::string receive();
  /// Waits until it has ended by itself or by a signal, and says which.
  std::string wait_for_end();
  [[noreturn]] void report_end();

  pid_t pid_ = -1;
  Descriptor requests_;
  Descriptor answers_;
  // What has been read and is part of no line yet.
  std::string read_;
};

}  // namespace copybench
