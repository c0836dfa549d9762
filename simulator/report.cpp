// SPDX-License-Identifier: Apache-2.0
#include "simulator/report.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <string>

namespace copybench::simulator {
namespace {

class Report {
 public:
  std::uint64_t count_call(std::string_view api) {
    const std::scoped_lock lock(mutex_);
    auto entry = calls_.find(api);
    if (entry == calls_.end()) {
      entry = calls_.emplace(std::string(api), 0).first;
    }
    return ++entry->second;
  }

  void count_fault() {
    const std::scoped_lock lock(mutex_);
    ++faults_;
  }

  void count_holding(Holding holding, int change) {
    const std::scoped_lock lock(mutex_);
    live_.at(static_cast<std::size_t>(holding)) += change;
  }

  void write(const char* path) {
    const std::scoped_lock lock(mutex_);
    std::ofstream file(path);
    write_to(file);
    if (!file.flush()) {
      std::cerr << "copybench_sim: COPYBENCH_SIM_REPORT=" << path << ": cannot be written\n";
    }
  }

  void write_to(std::ostream& file) const {
    file << R"({"calls": {)";
    const char* separator = "";
    for (const auto& [api, count] : calls_) {
      file << separator << '"' << api << "\": " << count;
      separator = ", ";
    }
    file << R"(}, "live": {"streams": )" << live_[0] << R"(, "events": )" << live_[1]
         << R"(, "allocations": )" << live_[2] << R"(, "graphs": )" << live_[3]
         << R"(}, "faults": )" << faults_ << "}\n";
  }

  // Never destroyed: the last calls come from destructors of static objects.
  static Report& get() {
    static auto* const report = [] {
      (void)std::atexit([] {
        if (const char* const path = std::getenv("COPYBENCH_SIM_REPORT"); path != nullptr) {
          get().write(path);
        }
      });
      return new Report;
    }();
    return *report;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::uint64_t, std::less<>> calls_;
  std::array<int, 4> live_{};
  std::uint64_t faults_ = 0;
};

}  // namespace

std::uint64_t count_call(std::string_view api) { return Report::get().count_call(api); }
void count_fault() { Report::get().count_fault(); }
void count_holding(Holding holding, int change) { Report::get().count_holding(holding, change); }

}  // namespace copybench::simulator
