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

// `argument` is the flag and its path.
[[noreturn]] void refuse(const std::string& argument, const std::string& problem) {
  throw UsageError(argument + ": " + problem);
}

// Whether a link in this directory stands for an open file, as /proc/self/fd/1 does.
bool holds_descriptors(const std::filesystem::path& directory) {
  std::error_code ignored;
  const std::string path = std::filesystem::canonical(directory, ignored).string();
  return path.starts_with("/proc/") && path.ends_with("/fd");
}

struct Destination {
  std::filesystem::path path;
  bool is_descriptor = false;
};

// Where the links at the end of `path` lead, which need not be there yet.
Destination follow_links(const std::string& path, const std::string& argument) {
  constexpr int most_links = 40;
  Destination end{path};
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(end.path, error); ++links) {
    const std::filesystem::path next = std::filesystem::read_symlink(end.path, error);
    if (links == most_links || error) {
      refuse(argument, error ? error.message() : system_message(ELOOP));
    }
    end.is_descriptor = end.is_descriptor || holds_descriptors(end.path.parent_path());
    end.path = end.path.parent_path() / next;
  }
  return end;
}

}  // namespace

OutputFile::OutputFile(std::string path, std::string_view flag)
    : path_(std::move(path)),
      argument_(std::string(flag) + "=" + path_),
      mode_(permissions_of_new_file()) {
  const Destination end = follow_links(path_, argument_);
  target_ = end.path.string();
  struct stat status{};
  if (stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      refuse(argument_, "is a directory");
    }
    if (access(path_.c_str(), W_OK) != 0) {
      refuse(argument_, system_message(errno));
    }
    if (!S_ISREG(status.st_mode)) {
      open_special(status.st_mode);
      return;
    }
    if (end.is_descriptor) {
      refuse(argument_,
             "is open already, and would be replaced; for JSON on standard output, give "
             "--benchmark_format=json instead");
    }
    mode_ = status.st_mode & 07777U;
  }
  const std::filesystem::path parent = end.path.parent_path();
  std::error_code ignored;
  if (!parent.empty() && !std::filesystem::is_directory(parent, ignored)) {
    refuse(argument_, "there is no directory " + parent.string());
  }
  if (const int error = TemporaryFile(target_).error(); error != 0) {
    refuse(argument_, system_message(error));
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) {
    (void)close(descriptor_);
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      argument_(std::move(other.argument_)),
      target_(std::move(other.target_)),
      mode_(other.mode_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

void OutputFile::open_special(mode_t mode) {
  // A pipe that nobody reads would hold up the opening for ever.
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor_ < 0) {
    const bool lacks_reader = errno == ENXIO && S_ISFIFO(mode);
    refuse(argument_,
           lacks_reader ? "nobody has opened this pipe for reading" : system_message(errno));
  }
  // Writing waits for the reader.
  if (fcntl(descriptor_, F_SETFL, 0) != 0) {
    refuse(argument_, system_message(errno));
  }
}

bool OutputFile::is_same_file(const OutputFile& other) const {
  // A path of which nothing exists yet would stay relative.
  const auto place = [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  return place(target_) == place(other.target_);
}

void OutputFile::publish(std::string_view text) const {
  if (is_special()) {
    if (const int error = write_all(descriptor_, text); error != 0) {
      throw std::runtime_error(argument_ + ": " + system_message(error));
    }
    return;
  }
  TemporaryFile file(target_);
  int error = file.error();
  if (error == 0) {
    error = file.fill(text, mode_);
  }
  if (error == 0) {
    error = file.move_to(target_);
  }
  if (error != 0) {
    throw std::runtime_error(argument_ + ": " + system_message(error) + "; nothing was written");
  }
}

}  // namespace copybench
