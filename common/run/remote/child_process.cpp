// SPDX-License-Identifier: Apache-2.0
#include "common/run/remote/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "common/environment/fact.hpp"
#include "common/run/message.hpp"
#include "common/run/system_error.hpp"

namespace copybench {
namespace {

// Far above any answer: an error with the longest text that anything here makes.
constexpr std::size_t longest_answer = std::size_t{1} << 20U;

[[noreturn]] void refuse(int error) {
  throw ChildError("a process of its own cannot be started: " + system_message(error));
}

// Above the standard ones, which the child's own are to replace.
void raise_above_standard(Descriptor& descriptor) {
  const int raised = fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (raised < 0) {
    refuse(errno);
  }
  descriptor.reset(raised);
}

void make_pipe(Descriptor& reader, Descriptor& writer) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    refuse(errno);
  }
  reader.reset(ends[0]);
  writer.reset(ends[1]);
  raise_above_standard(reader);
  raise_above_standard(writer);
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& added) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text(*variable);
    if (!added.contains(text.substr(0, text.find('=')))) {
      variables.push_back(text);
    }
  }
  for (const auto& [name, value] : added) {
    variables.emplace_back(name).append("=").append(value);
  }
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

void Descriptor::reset(int number) noexcept {
  if (number_ >= 0) {
    (void)close(number_);
  }
  number_ = number;
}

ChildProcess::ChildProcess(const std::string& argument,
                           const std::map<std::string, std::string>& variables) {
  Descriptor requests_reader;
  Descriptor answers_writer;
  make_pipe(requests_reader, requests_);
  make_pipe(answers_, answers_writer);
  std::vector<std::string> arguments{"copybench", argument};
  std::vector<std::string> environment = environment_with(variables);
  posix_spawn_file_actions_t actions{};
  (void)posix_spawn_file_actions_init(&actions);
  (void)posix_spawn_file_actions_adddup2(&actions, requests_reader.get(), STDIN_FILENO);
  (void)posix_spawn_file_actions_adddup2(&actions, answers_writer.get(), STDOUT_FILENO);
  // Still the same program when its file has been replaced meanwhile.
  const int error = posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr,
                                pointers_to(arguments).data(), pointers_to(environment).data());
  (void)posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    pid_ = -1;
    refuse(error);
  }
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    (void)kill(pid_, SIGKILL);
    (void)wait_for_end();
  }
}

Words ChildProcess::ask(const Words& request) {
  if (write_all(requests_.get(), encode(request)) != 0) {
    report_end();
  }
  const std::string line = receive();
  std::optional<Words> words = decode(line);
  if (!words) {
    throw ChildError("the process of its own answered with what is no line of words: \"" +
                     clean_value(line) + "\"");
  }
  return *words;
}

std::string ChildProcess::receive() {
  while (true) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    if (read_.size() > longest_answer) {
      throw ChildError("the process of its own answers without an end");
    }
    std::array<char, 4096> part{};
    const ssize_t got = read(answers_.get(), part.data(), part.size());
    if (got == 0 || (got < 0 && errno != EINTR)) {
      report_end();
    }
    read_.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }
}

std::string ChildProcess::wait_for_end() {
  int status = 0;
  pid_t ended = -1;
  do {
    ended = waitpid(pid_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  const bool is_known = ended == pid_;
  pid_ = -1;
  return is_known ? describe_end(status) : "nobody knows how";
}

void ChildProcess::report_end() {
  const std::string end = pid_ > 0 ? wait_for_end() : "long ago";
  throw ChildError("the process of its own ended: " + end);
}

}  // namespace copybench
