// SPDX-License-Identifier: Apache-2.0
#include "simulator/quit.hpp"

#include <cstdlib>
#include <iostream>

#include "common/environment/fact.hpp"

namespace copybench::simulator {

void quit(std::string_view reason) {
  constexpr int usage = 2;
  std::cerr << "copybench_sim: " << clean_value(reason) << '\n' << std::flush;
  std::_Exit(usage);
}

}  // namespace copybench::simulator
