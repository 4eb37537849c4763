// SPDX-License-Identifier: Apache-2.0
// Shared memory, constant and instruction caches.
#include <array>

#include "sim/validation/measure.h"

namespace teslasim {
namespace {

/// Passes per access of a half-warp, from the counters of replays.
MeasuredValue shared_degree(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  StepRequest request = step_request(arguments);
  MicroKernel kernel{request.file, "throughput", request.step, request.parameters};
  kernel.parameters["COUNT"] = 16;
  const OnChipStatistics once = machine.run(kernel, {1, 32}).statistics.shared;
  kernel.parameters["COUNT"] = 48;
  const OnChipStatistics more = machine.run(kernel, {1, 32}).statistics.shared;
  const auto accesses = static_cast<double>(more.accesses - once.accesses);
  return 1.0 + static_cast<double>(more.replays - once.replays) / accesses;
}

constexpr std::array<Measure, 1> on_chip_table{{
    {"shared_degree", "passes over shared memory per access of a half-warp, from the counters", shared_degree},
}};

}  // namespace

std::span<const Measure> on_chip_measures() {
  return on_chip_table;
}

}  // namespace teslasim
