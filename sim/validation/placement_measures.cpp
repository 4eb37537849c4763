// SPDX-License-Identifier: Apache-2.0
// Where blocks go, what a launch costs, how many blocks an SM holds.
#include <array>

#include "sim/gpu/occupancy.h"
#include "sim/validation/measure.h"

namespace teslasim {
namespace {

/// Blocks (or warps) that an SM holds when only the named resource limits them, or all of them.
MeasuredValue resident(MicroMachine& machine, const MeasureArguments& arguments) {
  OccupancyDemand demand{static_cast<unsigned>(arguments.number("threads", 64)),
                         static_cast<std::uint32_t>(arguments.number("registers", 1)),
                         static_cast<std::uint32_t>(arguments.number("shared", 16))};
  const OccupancyReport report = explain_occupancy(machine.spec(), demand);
  const std::string resource = arguments.text("by");
  for (const OccupancyLimit& limit : report.limits) {
    if (limit.name == resource) return static_cast<double>(limit.blocks);
  }
  if (arguments.text("in") == "warps") return static_cast<double>(report.occupancy.warps);
  return static_cast<double>(report.occupancy.ctas_per_sm);
}

/// Granularity of registers per thread: how the allocation of a block of 128 threads grows.
MeasuredValue register_step(MicroMachine& machine, const MeasureArguments&) {
  constexpr unsigned threads = 128, most = 32;
  unsigned steps = 0;
  std::uint64_t before = 0;
  for (unsigned registers = 1; registers <= most; ++registers) {
    const OccupancyReport report = explain_occupancy(machine.spec(), {threads, registers, 16});
    for (const OccupancyLimit& limit : report.limits) {
      if (limit.name != "registers" || limit.per_block == before) continue;
      before = limit.per_block;
      ++steps;
    }
  }
  return static_cast<double>(most) / steps;
}

/// The largest shared memory that a block can have.
MeasuredValue shared_size(MicroMachine& machine, const MeasureArguments&) {
  constexpr std::uint32_t kilobyte = 1024;
  std::uint32_t bytes = kilobyte;
  while (compute_occupancy(machine.spec(), {32, 1, bytes + kilobyte}).ctas_per_sm > 0) bytes += kilobyte;
  return static_cast<double>(bytes) / kilobyte;
}

constexpr std::array<Measure, 3> table{{
    {"register_step", "registers per thread by which the allocation grows", register_step},
    {"shared_size", "largest shared memory of a block", shared_size},
    {"resident", "blocks or warps resident on an SM", resident},
}};

}  // namespace

std::span<const Measure> placement_measures() {
  return table;
}

}  // namespace teslasim
