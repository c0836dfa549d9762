// SPDX-License-Identifier: Apache-2.0
// What does putting an ordinary array on the device cost, and what of it is left after the return?
#include "benchmarks/families.hpp"
#include "benchmarks/transfer.hpp"
#include "benchmarks/transfer_sweeps.hpp"

namespace copybench {

Family to_device_family() {
  return {"to_device",
          to_device_sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) {
            return make_transfer(TransferCase::parse(values, Direction::h2d), fixtures);
          },
          [](const AxisValues& values) {
            return TransferCase::parse(values, Direction::h2d).memory_needs();
          },
          refuse_transfer,
          lacks_for_transfer};
}

}  // namespace copybench
