// SPDX-License-Identifier: Apache-2.0
#include "common/environment/build_facts.hpp"

#include <optional>
#include <string>

#include "copybench_build_info.hpp"

namespace copybench {
namespace {

// 10905 is 1.9.5.
std::string benchmark_version() {
  constexpr int version = COPYBENCH_BENCHMARK_VERSION;
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

std::optional<std::string> git_dirty() {
  if (build_commit == unknown_value) {
    return std::nullopt;
  }
  return build_dirty ? "true" : "false";
}

}  // namespace

void add_build_facts(Facts& facts) {
  add_fact(facts, "git_commit", std::string(build_commit));
  add_fact(facts, "git_dirty", git_dirty());
  add_fact(facts, "build_type", std::string(build_type));
  add_fact(facts, "build_compiler", std::string(build_compiler));
  add_fact(facts, "build_cuda_compiler", std::string(build_cuda_compiler));
  add_fact(facts, "build_flags", std::string(build_flags));
  add_fact(facts, "google_benchmark_version", benchmark_version());
}

}  // namespace copybench
