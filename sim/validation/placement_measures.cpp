// SPDX-License-Identifier: Apache-2.0
// Where blocks go, what a launch costs, how many blocks an SM holds.
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "sim/gpu/machine/occupancy.h"
#include "sim/validation/measure.h"

namespace teslasim {
namespace {

/// TPC and SM of each block, from %physid.
struct Place {
  unsigned tpc = 0, sm = 0;
};

std::vector<Place> places(MicroMachine& machine, unsigned blocks) {
  constexpr unsigned threads = 32;
  const MicroRun run = machine.run({"control", "blocks", "equal", {{"LONG", 200}}}, {blocks, threads});
  std::vector<Place> found;
  for (unsigned block = 0; block < blocks; ++block) {
    const std::uint32_t physid = run.out[std::size_t{2} * threads * block];
    const unsigned tpc = physid >> 20U & 0xfU, sm = physid >> 16U & 0xfU;
    found.push_back({tpc, tpc * machine.spec().gpu.sms_per_tpc + sm});
  }
  return found;
}

unsigned tpcs_of(const std::vector<Place>& found) {
  std::set<unsigned> tpcs;
  for (const Place& place : found) tpcs.insert(place.tpc);
  return static_cast<unsigned>(tpcs.size());
}

/// The number of blocks up to which the number of active TPCs grows as it began: with breadth-first placement one per
/// block until each has one, with depth-first placement one per full TPC to the end.
MeasuredValue linear_growth(MicroMachine& machine, const MeasureArguments&) {
  const unsigned sms = machine.spec().sms(), per_tpc = machine.spec().gpu.sms_per_tpc;
  const unsigned blocks_per_tpc = per_tpc / tpcs_of(places(machine, per_tpc));
  unsigned blocks = per_tpc;
  while (blocks < sms) {
    const unsigned expected = (blocks + blocks_per_tpc) / blocks_per_tpc;
    if (tpcs_of(places(machine, blocks + 1)) != expected) break;
    ++blocks;
  }
  return static_cast<double>(blocks);
}

/// Whether consecutive blocks go to different SMs until each has one.
MeasuredValue distribution(MicroMachine& machine, const MeasureArguments&) {
  std::set<unsigned> sms;
  for (const Place& place : places(machine, machine.spec().sms())) sms.insert(place.sm);
  return std::string(sms.size() == machine.spec().sms() ? "round-robin" : "another");
}

/// One block more than fit at once, of which the first is long: does the last one wait for it?
MeasuredValue replacement(MicroMachine& machine, const MeasureArguments&) {
  constexpr unsigned threads = 256;
  machine.keep_one_tpc();
  const MicroParameters lengths{{"LONG", 4000}, {"SHORT", 100}};
  const unsigned per_sm =
      machine.run({"control", "blocks", "unequal", lengths}, {1, threads}).statistics.occupancy.ctas_per_sm;
  const unsigned fit = per_sm * machine.spec().gpu.sms_per_tpc;
  const double full = machine.run({"control", "blocks", "unequal", lengths}, {fit, threads}).cycles();
  const MicroRun one_more = machine.run({"control", "blocks", "unequal", lengths}, {fit + 1, threads});
  const double start = 2.0 * one_more.out[std::size_t{2} * threads * fit + 1];
  return std::string(start > 0.9 * full ? "waves" : "per block");
}

/// Blocks (or warps) that an SM holds when only the named resource limits them, or all of them.
MeasuredValue resident(MicroMachine& machine, const MeasureArguments& arguments) {
  OccupancyDemand demand{static_cast<unsigned>(arguments.number("threads", 64)),
                         static_cast<unsigned>(arguments.number("registers", 1)),
                         static_cast<unsigned>(arguments.number("shared", 16))};
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

/// End-to-end time of an empty kernel in ms, as a host sees it: overhead and kernel. Kernels here have one parameter at
/// least, so that without any is one step further down the line through one and ten.
double launch_ms(MicroMachine& machine, unsigned blocks, double arguments, unsigned threads = 32) {
  constexpr double femtoseconds_per_ms = 1e12;
  const auto time = [&](const char* kernel, std::size_t more) {
    const std::vector<std::uint32_t> values(more);
    const LaunchStatistics s = machine.run({"launch", "launch", kernel}, {blocks, threads}, values).statistics;
    return static_cast<double>(s.duration + s.overhead) / femtoseconds_per_ms;
  };
  constexpr double more = 9;
  const double one = time("one", 0), ten = time("ten", 9);
  return one + (ten - one) / more * (arguments - 1);
}

/// In ms, or in SP cycles with in=sp.
double in_unit(const MicroMachine& machine, const MeasureArguments& arguments, double ms) {
  constexpr double cycles_per_ms_and_mhz = 1e3;
  return arguments.text("in") == "sp" ? ms * cycles_per_ms_and_mhz * machine.spec().clock.shader_mhz : ms;
}

/// blocks=0 is the base, which Ye gives for one block.
MeasuredValue launch_cost(MicroMachine& machine, const MeasureArguments& arguments) {
  const auto blocks = static_cast<unsigned>(std::max<std::int64_t>(arguments.number("blocks", 0), 1));
  return in_unit(machine, arguments, launch_ms(machine, blocks, static_cast<double>(arguments.number("args", 0))));
}

MeasuredValue launch_slope(MicroMachine& machine, const MeasureArguments& arguments) {
  if (arguments.text("by") == "args") {
    return in_unit(machine, arguments, (launch_ms(machine, 50, 10) - launch_ms(machine, 50, 0)) / 10);
  }
  constexpr unsigned few = 2, many = 1000;
  const double slope = (launch_ms(machine, many, 0) - launch_ms(machine, few, 0)) / (many - few);
  return in_unit(machine, arguments, slope);
}

MeasuredValue launch_threads(MicroMachine& machine, const MeasureArguments&) {
  constexpr double little = 0.05;
  const double small = launch_ms(machine, 100, 0, 32), large = launch_ms(machine, 100, 0, 128);
  return std::string(large - small < little * small ? "little effect" : "effect");
}

/// Whether %clock of a TPC stands still while it has no work: blocks of the second wave of unequal blocks start at
/// clocks that lie further apart than the SM cycles in which their TPC ran.
MeasuredValue idle_clock(MicroMachine& machine, const MeasureArguments&) {
  constexpr unsigned threads = 256;
  const MicroParameters lengths{{"LONG", 4000}, {"SHORT", 100}};
  const unsigned sms = machine.spec().sms();
  const MicroKernel kernel{"control", "blocks", "unequal", lengths};
  const unsigned per_sm = machine.run(kernel, {1, threads}).statistics.occupancy.ctas_per_sm;
  const unsigned fit = per_sm * sms;
  const MicroRun run = machine.run(kernel, {2 * fit, threads});
  const auto start = [&](unsigned block) { return run.out[std::size_t{2} * threads * block + 1]; };
  std::uint32_t earliest = start(fit), latest = start(fit);
  for (unsigned block = fit; block < 2 * fit; ++block) {
    earliest = std::min(earliest, start(block));
    latest = std::max(latest, start(block));
  }
  return std::string(latest > 2 * earliest ? "stops" : "counts");
}

constexpr std::array<Measure, 10> placement_table{{
    {"idle_clock", "whether %clock stands still while a TPC has no blocks", idle_clock},
    {"launch", "end-to-end time of an empty kernel", launch_cost},
    {"launch_slope", "what one more block or argument adds to an empty kernel", launch_slope},
    {"launch_threads", "whether threads per block change the time of an empty kernel", launch_threads},
    {"linear_growth", "blocks up to which active TPCs grow as they began, from %physid", linear_growth},
    {"distribution", "whether blocks go to different SMs first, from %physid", distribution},
    {"replacement", "whether a block waits for the longest of the ones before", replacement},
    {"resident", "blocks or warps resident on an SM", resident},
    {"register_step", "registers per thread by which the allocation grows", register_step},
    {"shared_size", "largest shared memory of a block", shared_size},
}};

}  // namespace

std::span<const Measure> placement_measures() {
  return placement_table;
}

}  // namespace teslasim
