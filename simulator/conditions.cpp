// SPDX-License-Identifier: Apache-2.0
#include "simulator/conditions.hpp"

#include <map>
#include <mutex>

#include "simulator/call.hpp"

namespace copybench::simulator {
namespace {

struct Condition {
  const Graph* graph;
  unsigned default_value;
  bool assigns_default;
  bool taken = false;
  unsigned value = 0;
};

struct Conditions {
  std::mutex mutex;
  std::map<cudaGraphConditionalHandle, Condition> all;
  cudaGraphConditionalHandle last = 0;

  // Needs the mutex.
  Condition& find(cudaGraphConditionalHandle condition) {
    const auto found = all.find(condition);
    require(found != all.end());
    return found->second;
  }

  // Never destroyed: static objects of the program give their graphs back late.
  static Conditions& get() {
    static auto* const conditions = new Conditions;
    return *conditions;
  }
};

}  // namespace

cudaGraphConditionalHandle make_condition(const Graph& graph, unsigned default_value,
                                          bool assigns_default) {
  Conditions& conditions = Conditions::get();
  const std::scoped_lock lock(conditions.mutex);
  conditions.all.emplace(++conditions.last, Condition{.graph = &graph,
                                                      .default_value = default_value,
                                                      .assigns_default = assigns_default});
  return conditions.last;
}

void take_condition(cudaGraphConditionalHandle condition, const Graph& graph) {
  Conditions& conditions = Conditions::get();
  const std::scoped_lock lock(conditions.mutex);
  Condition& found = conditions.find(condition);
  require(found.graph == &graph && !found.taken);
  found.taken = true;
}

bool is_taken(cudaGraphConditionalHandle condition) {
  Conditions& conditions = Conditions::get();
  const std::scoped_lock lock(conditions.mutex);
  return conditions.find(condition).taken;
}

void reset_condition(cudaGraphConditionalHandle condition) {
  Conditions& conditions = Conditions::get();
  const std::scoped_lock lock(conditions.mutex);
  Condition& found = conditions.find(condition);
  if (found.assigns_default) {
    found.value = found.default_value;
  }
}

void set_condition(cudaGraphConditionalHandle condition, unsigned value) {
  Conditions& conditions = Conditions::get();
  const std::scoped_lock lock(conditions.mutex);
  conditions.find(condition).value = value;
}

unsigned condition_value(cudaGraphConditionalHandle condition) {
  Conditions& conditions = Conditions::get();
  const std::scoped_lock lock(conditions.mutex);
  return conditions.find(condition).value;
}

}  // namespace copybench::simulator
