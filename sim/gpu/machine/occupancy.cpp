// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/machine/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace teslasim {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t round_up(std::uint64_t amount, std::uint64_t unit) {
  return (amount + unit - 1) / unit * unit;
}
std::uint64_t round_down(std::uint64_t amount, std::uint64_t unit) {
  return amount / unit * unit;
}

unsigned warps_of(unsigned threads) {
  return static_cast<unsigned>((std::uint64_t{threads} + warp_size - 1) / warp_size);
}

/// Threads for which a block pays registers: its warps are rounded up.
std::uint64_t register_threads(const MachineSpec& machine, unsigned threads) {
  return round_up(warps_of(threads), machine.sm.warp_alloc_granularity) * warp_size;
}

OccupancyLimit limit_of(const char* name, std::uint64_t available, std::uint64_t per_block) {
  return {name, available, per_block, per_block == 0 ? no_limit : available / per_block, false};
}

std::vector<OccupancyLimit> limits_of(const MachineSpec& machine, const OccupancyDemand& demand) {
  const std::uint64_t registers =
      round_up(register_threads(machine, demand.threads) * demand.registers_per_thread, machine.sm.register_alloc_unit);
  const std::uint64_t shared = round_up(demand.shared_bytes, machine.sm.shared.alloc_unit_bytes);
  std::vector<OccupancyLimit> limits{
      limit_of("threads", std::uint64_t{machine.gpu.max_warps_per_sm} * warp_size, demand.threads),
      limit_of("warps", machine.gpu.max_warps_per_sm, warps_of(demand.threads)),
      limit_of("ctas", machine.gpu.max_ctas_per_sm, 1),
      limit_of("registers", machine.sm.registers, registers),
      limit_of("shared", machine.sm.shared.bytes, shared),
  };
  if (demand.threads > machine.gpu.max_threads_per_cta) limits[0].blocks = 0;
  if (demand.registers_per_thread > machine.gpu.max_registers_per_thread) limits[3].blocks = 0;
  return limits;
}

/// The largest blocks of which so many fit; 0 when there are none.
unsigned threads_that_fit(const MachineSpec& machine, unsigned blocks) {
  return std::min(machine.gpu.max_warps_per_sm / blocks * warp_size, machine.gpu.max_threads_per_cta);
}

/// What `limit` asks for so that `blocks` blocks fit; empty when it cannot be had by changing the kernel.
std::string need(const MachineSpec& machine, const OccupancyDemand& demand, const OccupancyLimit& limit,
                 unsigned blocks) {
  if (limit.name == "ctas") return {};
  if (limit.name == "registers") {
    const unsigned registers = registers_that_fit(machine, demand.threads, blocks);
    return registers == 0
               ? std::string{}
               : fmt::format("at most {} registers per thread (now {})", registers, demand.registers_per_thread);
  }
  if (limit.name == "shared") {
    const std::uint64_t bytes = round_down(limit.available / blocks, machine.sm.shared.alloc_unit_bytes);
    return bytes == 0 ? std::string{}
                      : fmt::format("at most {} bytes of shared memory per block (now {})", bytes, demand.shared_bytes);
  }
  const unsigned threads = threads_that_fit(machine, blocks);
  return threads == 0 ? std::string{} : fmt::format("at most {} threads per block (now {})", threads, demand.threads);
}

OccupancyStep next_step(const MachineSpec& machine, const OccupancyDemand& demand, const OccupancyReport& report) {
  OccupancyStep step;
  step.blocks = report.occupancy.ctas_per_sm + 1;
  // Smaller blocks need fewer registers.
  OccupancyDemand then = demand;
  const unsigned threads = threads_that_fit(machine, step.blocks);
  if (threads != 0) then.threads = std::min(demand.threads, threads);
  step.warps = step.blocks * warps_of(then.threads);
  const std::vector<OccupancyLimit> limits = limits_of(machine, then);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const bool by_threads = i < 2;  // threads and warps
    const OccupancyLimit& limit = by_threads ? report.limits[i] : limits[i];
    if (limit.blocks >= step.blocks) continue;
    std::string sentence = need(machine, by_threads ? demand : then, limit, step.blocks);
    if (sentence.empty()) {
      step.possible = false;
      sentence = limit.name == "ctas"
                     ? fmt::format("an SM holds at most {} blocks", limit.available)
                     : fmt::format("no kernel with {} blocks per SM fits ({})", step.blocks, limit.name);
    }
    // Threads and warps are two views of one limit.
    if (std::find(step.needs.begin(), step.needs.end(), sentence) == step.needs.end()) step.needs.push_back(sentence);
  }
  return step;
}

}  // namespace

unsigned registers_that_fit(const MachineSpec& machine, unsigned threads, unsigned blocks) {
  if (threads == 0 || blocks == 0) return 0;
  const std::uint64_t per_block = round_down(machine.sm.registers / blocks, machine.sm.register_alloc_unit);
  const std::uint64_t registers = per_block / register_threads(machine, threads);
  return static_cast<unsigned>(std::min<std::uint64_t>(registers, machine.gpu.max_registers_per_thread));
}

OccupancyReport explain_occupancy(const MachineSpec& machine, const OccupancyDemand& demand) {
  OccupancyReport report;
  report.limits = limits_of(machine, demand);
  report.warps_per_block = warps_of(demand.threads);
  report.registers_per_block = report.limits[3].per_block;
  report.shared_bytes_per_block = report.limits[4].per_block;
  const auto fewest = std::min_element(report.limits.begin(), report.limits.end(),
                                       [](const auto& a, const auto& b) { return a.blocks < b.blocks; });
  for (OccupancyLimit& limit : report.limits) limit.limits = limit.blocks == fewest->blocks;
  report.occupancy.ctas_per_sm = static_cast<unsigned>(fewest->blocks);
  report.occupancy.warps = report.occupancy.ctas_per_sm * report.warps_per_block;
  report.occupancy.max_warps = machine.gpu.max_warps_per_sm;
  report.occupancy.limiter = fewest->name;
  report.next = next_step(machine, demand, report);
  return report;
}

Occupancy compute_occupancy(const MachineSpec& machine, const OccupancyDemand& demand) {
  return explain_occupancy(machine, demand).occupancy;
}

}  // namespace teslasim
