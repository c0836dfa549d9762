// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>

namespace copybench {

/// A file that a flag names, such as --benchmark_out. Nothing is at its path before publish(), and
/// all of it after: the text goes into a temporary file beside it, which is renamed. A device or a
/// pipe cannot be renamed and is written to; it is held open from the beginning.
class OutputFile {
 public:
  /// Makes sure, before anything is measured, that publish() will be able to write. Throws
  /// UsageError, which names the flag.
  explicit OutputFile(std::string path, std::string_view flag = "--benchmark_out");
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Whether publish() of the other one would replace what this one has written, whichever links
  /// and folders the two paths go through.
  [[nodiscard]] bool is_same_file(const OutputFile& other) const;

  /// Whether it is a device or a pipe, for which publish() may have to wait.
  [[nodiscard]] bool is_special() const noexcept { return descriptor_ >= 0; }

  /// Throws std::runtime_error; then the path holds what it held before.
  void publish(std::string_view text) const;

 private:
  void open_special(mode_t mode);

  std::string path_;
  // The flag and the path, for messages.
  std::string argument_;
  // Where the links of path_ lead: what they point to is replaced, not the link.
  std::string target_;
  mode_t mode_ = 0;
  // Of a device or a pipe.
  int descriptor_ = -1;
};

}  // namespace copybench
