// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>

namespace copybench {

/// The file of --benchmark_out. Nothing is at its path before publish(), and all of it after: the
/// text goes into a temporary file beside it, which is renamed. A device or a pipe, such as
/// /dev/stdout, cannot be renamed and is written to.
class OutputFile {
 public:
  /// Makes sure, before anything is measured, that publish() will be able to write. Throws
  /// UsageError.
  explicit OutputFile(std::string path);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Throws std::runtime_error; then the path holds what it held before.
  void publish(std::string_view text) const;

 private:
  [[nodiscard]] std::string target() const;
  void write_directly(std::string_view text) const;

  std::string path_;
  mode_t mode_ = 0;
  bool is_special_ = false;
};

}  // namespace copybench
