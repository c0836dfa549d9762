// SPDX-License-Identifier: Apache-2.0
#include "common/run/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "common/run/exit_status.hpp"
#include "common/run/message.hpp"
#include "common/run/system_error.hpp"

namespace copybench {
namespace {

constexpr mode_t everybody = 0666;

// A new file beside the target, gone again unless it was renamed.
class TemporaryFile {
 public:
  // error() is set when it could not be made.
  explicit TemporaryFile(const std::string& target)
      : path_(target + ".XXXXXX"),
        descriptor_(mkostemp(path_.data(), O_CLOEXEC)),
        error_(descriptor_ < 0 ? errno : 0) {}
  ~TemporaryFile() {
    if (descriptor_ >= 0) {
      (void)close(descriptor_);
    }
    if (error_ == 0 && !renamed_) {
      (void)unlink(path_.c_str());
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  [[nodiscard]] int error() const noexcept { return error_; }

  // All of these return an errno, 0 when it went well.
  [[nodiscard]] int fill(std::string_view text, mode_t mode) {
    if (const int error = write_all(descriptor_, text); error != 0) {
      return error;
    }
    if (fchmod(descriptor_, mode) != 0) {
      return errno;
    }
    // Some file systems have no fsync.
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) {
      return errno;
    }
    // A full disk may show only here.
    return close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
  }
  [[nodiscard]] int move_to(const std::string& target) {
    if (std::rename(path_.c_str(), target.c_str()) != 0) {
      return errno;
    }
    renamed_ = true;
    return 0;
  }

 private:
  std::string path_;
  int descriptor_;
  int error_;
  bool renamed_ = false;
};

mode_t permissions_of_new_file() {
  const mode_t mask = umask(0);
  (void)umask(mask);
  return everybody & ~mask;
}

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
  throw UsageError("--benchmark_out=" + path + ": " + problem);
}

}  // namespace

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), mode_(permissions_of_new_file()) {
  struct stat status{};
  if (stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      refuse(path_, "is a directory");
    }
    if (access(path_.c_str(), W_OK) != 0) {
      refuse(path_, system_message(errno));
    }
    is_special_ = !S_ISREG(status.st_mode);
    mode_ = status.st_mode & 07777U;
  }
  if (is_special_) {
    return;
  }
  const std::filesystem::path parent = std::filesystem::path(path_).parent_path();
  std::error_code ignored;
  if (!parent.empty() && !std::filesystem::is_directory(parent, ignored)) {
    refuse(path_, "there is no directory " + parent.string());
  }
  if (const int error = TemporaryFile(target()).error(); error != 0) {
    refuse(path_, system_message(error));
  }
}

std::string OutputFile::target() const {
  // What a link points to is replaced, not the link.
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::canonical(path_, error);
  return error ? path_ : resolved.string();
}

void OutputFile::publish(std::string_view text) const {
  if (is_special_) {
    write_directly(text);
    return;
  }
  TemporaryFile file(target());
  int error = file.error();
  if (error == 0) {
    error = file.fill(text, mode_);
  }
  if (error == 0) {
    error = file.move_to(target());
  }
  if (error != 0) {
    throw std::runtime_error("--benchmark_out=" + path_ + ": " + system_message(error) +
                             "; nothing was written");
  }
}

void OutputFile::write_directly(std::string_view text) const {
  const int descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  int error = descriptor < 0 ? errno : write_all(descriptor, text);
  if (descriptor >= 0 && close(descriptor) != 0 && error == 0) {
    error = errno;
  }
  if (error != 0) {
    throw std::runtime_error("--benchmark_out=" + path_ + ": " + system_message(error));
  }
}

}  // namespace copybench
