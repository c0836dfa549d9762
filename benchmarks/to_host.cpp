// SPDX-License-Identifier: Apache-2.0
// What does getting an array back from the device cost, into ordinary memory above all?
#include "benchmarks/families.hpp"
#include "benchmarks/transfer.hpp"
#include "benchmarks/transfer_sweeps.hpp"

namespace copybench {

Family to_host_family() {
  return {"to_host",
          to_host_sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) {
            return make_transfer(TransferCase::parse(values, Direction::d2h), fixtures);
          },
          [](const AxisValues& values) {
            return TransferCase::parse(values, Direction::d2h).memory_needs();
          },
          refuse_transfer,
          lacks_for_transfer};
}

}  // namespace copybench
