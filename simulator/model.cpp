// SPDX-License-Identifier: Apache-2.0
#include "simulator/model.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

#include "common/environment/text.hpp"
#include "simulator/quit.hpp"

namespace copybench::simulator {
namespace {

struct Parameter {
  std::string_view name;
  double Model::* value;
  bool is_count;
  double least;
  double most;
};

// The bounds keep every time that is made of them within what a clock can hold.
constexpr double least_speed = 1e3;
constexpr double most_speed = 1e15;
constexpr double most_us = 1e9;
constexpr double most_bytes = 1e15;
constexpr std::array<Parameter, 12> parameters{
    {{"link_bytes_per_s", &Model::link_bytes_per_s, false, least_speed, most_speed},
     {"link_latency_us", &Model::link_latency_us, false, 0, most_us},
     {"staging_bytes_per_s", &Model::staging_bytes_per_s, false, least_speed, most_speed},
     {"pool_bytes", &Model::pool_bytes, true, 1, most_bytes},
     {"piece_bytes", &Model::piece_bytes, true, 1, most_bytes},
     {"launch_latency_us", &Model::launch_latency_us, false, 0, most_us},
     {"host_function_latency_us", &Model::host_function_latency_us, false, 0, most_us},
     {"call_us", &Model::call_us, false, 0, most_us},
     {"pin_us_per_page", &Model::pin_us_per_page, false, 0, most_us},
     {"queue_depth", &Model::queue_depth, true, 1, 1e9},
     {"devices", &Model::devices, true, 1, 64},
     {"device_memory_bytes", &Model::device_memory_bytes, true, 1, most_bytes}}};

constexpr std::string_view prefix = "COPYBENCH_SIM_";
// Variables with the prefix that are no parameters.
constexpr std::array<std::string_view, 3> others{"MODEL", "FAULT", "REPORT"};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

void set(Model& model, const std::string& name, std::string_view text, const std::string& where) {
  const auto* const parameter = std::ranges::find(parameters, name, &Parameter::name);
  if (parameter == parameters.end()) {
    throw std::invalid_argument(where + ": the simulator has no parameter \"" + name + "\"");
  }
  const auto value = parse_number<double>(text);
  // Not "< least or > most": a NaN is neither.
  const bool in_range = value && *value >= parameter->least && *value <= parameter->most;
  if (!in_range || (parameter->is_count && std::floor(*value) != *value)) {
    std::ostringstream expected;
    expected << where << ": expected a " << (parameter->is_count ? "whole " : "") << "number from "
             << parameter->least << " to " << parameter->most;
    throw std::invalid_argument(expected.str());
  }
  model.*parameter->value = *value;
}

std::vector<std::string> environment_variables() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

Model read_from_process() {
  try {
    std::string text;
    if (const char* const path = std::getenv("COPYBENCH_SIM_MODEL"); path != nullptr) {
      std::error_code error;
      // Not a pipe, which may have no writer.
      const auto read =
          std::filesystem::is_regular_file(path, error) ? read_text(".", path) : std::nullopt;
      if (!read) {
        throw std::invalid_argument("COPYBENCH_SIM_MODEL=" + std::string(path) +
                                    ": cannot be read");
      }
      text = *read;
    }
    return read_model(environment_variables(), text);
  } catch (const std::exception& error) {
    quit(error.what());
  }
}

}  // namespace

Model read_model(const std::vector<std::string>& variables, std::string_view file_text) {
  Model model;
  for (const std::string_view line : split(file_text, '\n')) {
    const std::size_t equals = std::min(line.find('='), line.size());
    if (!line.starts_with('#')) {
      set(model, std::string(trim(line.substr(0, equals))),
          trim(line.substr(std::min(equals + 1, line.size()))),
          "COPYBENCH_SIM_MODEL: \"" + std::string(line) + "\"");
    }
  }
  for (const std::string_view variable : variables) {
    const std::size_t equals = std::min(variable.find('='), variable.size());
    const std::string_view name = variable.substr(0, equals);
    if (!name.starts_with(prefix) ||
        std::ranges::find(others, name.substr(prefix.size())) != others.end()) {
      continue;
    }
    set(model, lower(name.substr(prefix.size())),
        variable.substr(std::min(equals + 1, variable.size())), std::string(variable));
  }
  return model;
}

const Model& model() {
  static const Model of_process = read_from_process();
  return of_process;
}

std::string describe(const Model& model) {
  std::ostringstream text;
  for (const Parameter& parameter : parameters) {
    text << (text.view().empty() ? "" : " ") << parameter.name << '=' << model.*parameter.value;
  }
  return text.str();
}

Nanoseconds time_for(std::size_t bytes, double bytes_per_s) {
  return std::chrono::duration_cast<Nanoseconds>(
      std::chrono::duration<double>(static_cast<double>(bytes) / bytes_per_s));
}

Nanoseconds microseconds(double count) {
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double, std::micro>(count));
}

Nanoseconds scaled(Nanoseconds time, double factor) {
  return std::chrono::duration_cast<Nanoseconds>(time * factor);
}

}  // namespace copybench::simulator
