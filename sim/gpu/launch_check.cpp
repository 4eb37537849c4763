// SPDX-License-Identifier: Apache-2.0
// Limits that are not machine keys (grid extents, block depth) are those of CUDA C Programming Guide 4.2, Table F-2.
#include "sim/gpu/launch_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/gpu/machine/occupancy.h"

namespace teslasim {

namespace {

constexpr std::uint32_t largest_grid_extent = 65535;
constexpr std::uint32_t deepest_block = 64;

class Check {
 public:
  Check(const MachineSpec& machine, const LaunchDemand& demand) : machine_(machine), demand_(demand) {
    threads_ = std::uint64_t{demand.block[0]} * demand.block[1];
    // Three factors of 32 bits overflow 64; anything near that is far beyond every limit.
    threads_ = threads_ > largest_grid_extent ? threads_ : threads_ * demand.block[2];
  }

  [[nodiscard]] std::vector<Diagnostic> run() {
    check_level();
    check_grid();
    if (check_block()) {
      check_bounds();
      check_registers();
      check_shared();
    }
    return std::move(found_);
  }

 private:
  void refuse(const char* code, std::string message, std::string help, std::vector<std::string> notes = {}) {
    Diagnostic problem;
    problem.code = code;
    problem.message = demand_.kernel.empty() ? std::move(message) : "kernel '" + demand_.kernel + "': " + message;
    problem.where = demand_.where;
    problem.notes = std::move(notes);
    problem.help = std::move(help);
    found_.push_back(std::move(problem));
  }

  void check_level() {
    if (demand_.sm_level <= machine_.sm_level()) return check_double();
    const char* example = demand_.sm_level >= 13 ? "gtx280" : demand_.sm_level == 12 ? "gt240" : "8800gt";
    refuse("ISA-LEVEL", fmt::format("the code is for sm_{}, the machine is {}", demand_.sm_level, machine_.arch),
           fmt::format("use a machine of sm_{} or later, for example -c {}", demand_.sm_level, example));
  }

  void check_double() {
    if (!demand_.uses_double || machine_.sm.dp_units != 0) return;
    refuse("ISA-LEVEL", "the code has f64 instructions, the machine has no unit for them",
           "set sm.dp_units to 1 or more, or compile the kernel for sm_12");
  }

  void check_grid() {
    const auto& grid = demand_.grid;
    const std::string shape = fmt::format("{}", fmt::join(grid, "x"));
    if (std::find(grid.begin(), grid.end(), 0U) != grid.end()) {
      return refuse("LAUNCH-GRID", fmt::format("the grid {} has no blocks", shape), "every extent must be at least 1");
    }
    if (grid[2] != 1) {
      return refuse("LAUNCH-GRID", fmt::format("the grid {} has three dimensions", shape),
                    "grids of compute capability 1.x have two: fold z into y and take it apart in the kernel");
    }
    if (grid[0] > largest_grid_extent || grid[1] > largest_grid_extent) {
      refuse("LAUNCH-GRID",
             fmt::format("the grid {} is wider than {} blocks in one dimension", shape, largest_grid_extent),
             "spread the blocks over x and y");
    }
  }

  /// False when the block is so wrong that its needs cannot be computed.
  [[nodiscard]] bool check_block() {
    const auto& block = demand_.block;
    const std::string shape = fmt::format("{}", fmt::join(block, "x"));
    if (std::find(block.begin(), block.end(), 0U) != block.end()) {
      refuse("LAUNCH-BLOCK", fmt::format("the block {} has no threads", shape), "every extent must be at least 1");
      return false;
    }
    const std::uint64_t most = std::min<std::uint64_t>(machine_.gpu.max_threads_per_cta,
                                                       std::uint64_t{machine_.gpu.max_warps_per_sm} * warp_size);
    if (threads_ > most) {
      refuse(
          "LAUNCH-BLOCK",
          fmt::format("the block {} has {} threads, {} takes at most {}", shape, thread_count(), machine_.name, most),
          fmt::format("use blocks of at most {} threads and more of them", most),
          {fmt::format("{} threads per block, {} warps of {} threads per SM", machine_.gpu.max_threads_per_cta,
                       machine_.gpu.max_warps_per_sm, warp_size)});
      return false;
    }
    if (block[2] > deepest_block) {
      refuse("LAUNCH-BLOCK", fmt::format("the block {} is deeper than {} threads in z", shape, deepest_block),
             "use x or y for the longest dimension");
    }
    return true;
  }

  /// What the compiler was promised with __launch_bounds__. Source: PTX ISA 1.4, 2009 (.maxntid): more threads are an
  /// error of the launch.
  void check_bounds() {
    if (demand_.most_threads == 0 || threads_ <= demand_.most_threads) return;
    refuse("LAUNCH-BOUNDS",
           fmt::format("the block {} has {} threads, the kernel was compiled for at most {}",
                       fmt::join(demand_.block, "x"), threads_, demand_.most_threads),
           "use smaller blocks, or raise __launch_bounds__ (in PTX .maxntid) of the kernel");
  }

  [[nodiscard]] std::string thread_count() const {
    return threads_ > largest_grid_extent ? fmt::format("more than {}", largest_grid_extent)
                                          : fmt::format("{}", threads_);
  }

  void check_registers() {
    const std::uint32_t wanted = demand_.registers_per_thread;
    if (wanted > machine_.gpu.max_registers_per_thread) {
      return refuse("LAUNCH-REGISTERS",
                    fmt::format("{} registers per thread, the instruction set has {}", wanted,
                                machine_.gpu.max_registers_per_thread),
                    "keep fewer values alive, or spill some to local memory");
    }
    const OccupancyReport report = explain_occupancy(machine_, occupancy_demand());
    if (report.registers_per_block <= machine_.sm.registers) return;
    const unsigned fitting = registers_that_fit(machine_, static_cast<unsigned>(threads_), 1);
    refuse("LAUNCH-REGISTERS",
           fmt::format("a block of {} threads with {} registers each takes {} registers, an SM of {} has {}", threads_,
                       wanted, report.registers_per_block, machine_.name, machine_.sm.registers),
           fmt::format(
               "with {} threads per block at most {} registers per thread fit; with {} registers at most {} threads",
               threads_, fitting, wanted, threads_that_fit(wanted)));
  }

  /// The largest block, in whole warps, that one SM has registers for.
  [[nodiscard]] unsigned threads_that_fit(std::uint32_t registers) const {
    unsigned warps = machine_.gpu.max_warps_per_sm;
    while (warps > 0 && registers_that_fit(machine_, warps * warp_size, 1) < registers) --warps;
    return warps * warp_size;
  }

  void check_shared() {
    const OccupancyReport report = explain_occupancy(machine_, occupancy_demand());
    if (report.shared_bytes_per_block <= machine_.sm.shared.bytes) return;
    refuse("LAUNCH-SHARED",
           fmt::format("a block takes {} bytes of shared memory, an SM of {} has {}", demand_.shared_bytes,
                       machine_.name, machine_.sm.shared.bytes),
           fmt::format("at most {} bytes fit, of which the launch itself uses 16 and the parameters",
                       machine_.sm.shared.bytes));
  }

  [[nodiscard]] OccupancyDemand occupancy_demand() const {
    return {static_cast<unsigned>(threads_), demand_.registers_per_thread, demand_.shared_bytes};
  }

  const MachineSpec& machine_;
  const LaunchDemand& demand_;
  std::uint64_t threads_ = 0;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_launch(const MachineSpec& machine, const LaunchDemand& demand) {
  return Check(machine, demand).run();
}

}  // namespace teslasim
