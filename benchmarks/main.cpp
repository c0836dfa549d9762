// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/families.hpp"
#include "common/run/run_suite.hpp"

int main(int argc, char** argv) {
  return copybench::run_suite(argc, argv, copybench::all_families());
}
