// SPDX-License-Identifier: Apache-2.0
// Experiments inside one SM: latencies, throughput against warps, several units, predicates, branches, barriers.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/validation/measure.h"

namespace teslasim {
namespace {

constexpr double lanes = 32.0;
constexpr double sp_cycles_per_sm_cycle = 2.0;

double in_unit(double sp_cycles, const MeasureArguments& arguments) {
  return arguments.text("in") == "sm" ? sp_cycles / sp_cycles_per_sm_cycle : sp_cycles;
}

MeasuredValue latency(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  const auto threads = static_cast<unsigned>(arguments.number("threads", 32));
  double cycles = step_latency(machine, step_request(arguments), threads);
  if (arguments.has("minus")) cycles -= step_latency(machine, step_request(arguments, "minus"), threads);
  return in_unit(cycles, arguments);
}

MeasuredValue pair(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  double cycles = pair_latency(machine, step_request(arguments));
  if (arguments.has("less")) cycles -= step_latency(machine, step_request(arguments, "less"));
  return in_unit(cycles, arguments);
}

/// SP cycles per warp instruction as the unit of the row.
double rate(double cpi, const MachineSpec& spec, const MeasureArguments& arguments) {
  const std::string as = arguments.text("as", "cpi");
  const double sms = spec.sms(), shader_ghz = spec.clock.shader_mhz / 1000.0;
  if (as == "ops") return lanes / cpi;                             // per SP cycle and SM
  if (as == "words") return lanes / cpi * sp_cycles_per_sm_cycle;  // per SM cycle and SM
  if (as == "bytes") return 4.0 * lanes / cpi;                     // per SP cycle and SM
  if (as == "ginstr") return sms * shader_ghz / cpi;               // warp instructions of the GPU
  if (as == "gops") return arguments.real("operations", 1.0) * lanes * sms * shader_ghz / cpi;
  if (as == "gbs") return 4.0 * lanes * sms * shader_ghz / cpi;  // of the GPU
  if (as == "fraction") return lanes / cpi / spec.sm.sp_lanes;   // of the lanes of the MAD unit
  if (as == "percent") return 100.0 * lanes / cpi / spec.sm.sp_lanes;
  if (as == "period") return cpi * static_cast<double>(arguments.number("warps", 1));
  return cpi;
}

unsigned warps_of(const MicroMachine& machine, const MeasureArguments& arguments) {
  return static_cast<unsigned>(arguments.number("warps", machine.spec().gpu.max_warps_per_sm));
}

MeasuredValue throughput(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  const double cpi = step_cpi(machine, step_request(arguments), warps_of(machine, arguments));
  return rate(cpi, machine.spec(), arguments);
}

MeasuredValue throughput_ratio(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  const unsigned warps = warps_of(machine, arguments);
  return step_cpi(machine, step_request(arguments), warps) / step_cpi(machine, step_request(arguments, "over"), warps);
}

/// SP cycles for which an instruction of the step occupies its unit, from the busy cycles of the unit.
double unit_interval(MicroMachine& machine, const MeasureArguments& arguments, std::string_view key = "step") {
  const auto threads = static_cast<unsigned>(arguments.number("threads", 128));
  constexpr std::array<std::string_view, 4> names{"mad", "sfu", "dp", "memory"};
  const auto unit =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), arguments.text("unit")) - names.begin());
  const StepRequest request = step_request(arguments, key);
  MicroKernel kernel{request.file, "throughput", request.step, {{"COUNT", 64}, {"PASSES", 2}}};
  const LaunchStatistics once = machine.run(kernel, {1, threads}).statistics;
  kernel.parameters["PASSES"] = 6;
  const LaunchStatistics more = machine.run(kernel, {1, threads}).statistics;
  const double instructions = 4.0 * 64.0 * threads / 32.0;
  const double busy = static_cast<double>(more.unit_busy_cycles.at(unit) - once.unit_busy_cycles.at(unit));
  double other = 0.0;  // the subtraction of the loop also occupies the MAD unit
  if (arguments.text("unit") == "mad") other = 4.0 * threads / 32.0 * 2.0;
  if (busy == 0.0) throw CannotMeasure("the instructions did not use this unit");
  return (busy - other) * sp_cycles_per_sm_cycle / instructions;
}

MeasuredValue unit_rate(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  const double interval = unit_interval(machine, arguments);
  return arguments.text("as") == "ops" ? lanes / interval : interval;
}

/// The fewest warps with `share` of the throughput of a full SM.
MeasuredValue saturation(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  const StepRequest request = step_request(arguments);
  const double full = step_cpi(machine, request, machine.spec().gpu.max_warps_per_sm);
  const double share = arguments.real("share", 0.9);
  unsigned warps = 1;
  while (full / step_cpi(machine, request, warps) < share) ++warps;
  return static_cast<double>(warps);
}

/// Lanes that the instruction type can use, times the clock: the formula of Zhang & Owens 2011, section 4.1.
MeasuredValue peak(MicroMachine& machine, const MeasureArguments& arguments) {
  const MachineSpec& spec = machine.spec();
  const double units = arguments.text("unit") == "mul"   ? multiplication_lanes(spec.sm)
                       : arguments.text("unit") == "sfu" ? spec.sm.sfu_units
                       : arguments.text("unit") == "dp"  ? spec.sm.dp_units
                                                         : spec.sm.sp_lanes;
  return units * spec.sms() * spec.clock.shader_mhz / 1000.0 / lanes;
}

/// Collange's estimate of the execution stage (2010, Fig. 8): what is left of the latency of a dependent instruction
/// without 7 SP cycles of reading and writing registers and the further cycles of a unit that takes more than 4 for a
/// warp.
MeasuredValue execution_estimate(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  constexpr double registers = 7.0, usual_interval = 4.0;
  const double cycles = step_latency(machine, step_request(arguments));
  return cycles - registers - (unit_interval(machine, arguments, "interval") - usual_interval) -
         arguments.real("reads", 0.0);
}

MeasuredValue barrier_latency(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  return step_latency(machine, {"alu", "barrier"}, static_cast<unsigned>(32 * arguments.number("warps", 1)));
}

MeasuredValue barrier_per_warp(MicroMachine& machine, const MeasureArguments&) {
  machine.keep_one_sm();
  constexpr unsigned warps = 16;
  const double one = step_latency(machine, {"alu", "barrier"}, 32),
               all = step_latency(machine, {"alu", "barrier"}, 32 * warps);
  return (all - one) / (warps - 1);
}

/// Time of one warp whose lanes take `paths` paths of equal length over the time of one path.
double path_ratio(MicroMachine& machine, std::int64_t paths) {
  constexpr std::int64_t brief = 4, full = 8;  // so short that 32 paths fit into the instruction cache
  constexpr std::int64_t few = 2, many = 10;
  const auto at = [&](std::int64_t different, std::int64_t count, std::int64_t passes) {
    const MicroParameters parameters{{"PATHS", different}, {"COUNT", count}, {"PASSES", passes}};
    return machine.run({"control", "throughput", "paths", parameters}).cycles();
  };
  const auto pass = [&](std::int64_t different, std::int64_t count) {
    return at(different, count, many) - at(different, count, few);
  };
  const auto time = [&](std::int64_t different) { return pass(different, full) - pass(different, brief); };
  return time(paths) / time(1);
}

MeasuredValue path_time(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  return path_ratio(machine, arguments.number("paths", 2));
}

/// "serial" when p paths take p times as long.
MeasuredValue divergence(MicroMachine& machine, const MeasureArguments&) {
  machine.keep_one_sm();
  constexpr double share = 0.05;
  for (const std::int64_t paths : {2, 4, 8, 16, 32}) {
    const auto expected = static_cast<double>(paths);
    if (std::fabs(path_ratio(machine, paths) - expected) > share * expected) return std::string("not serial");
  }
  return std::string("serial");
}

/// SP cycles per dependent step of one warp beside `others` warps that keep the MAD unit busy.
MeasuredValue accompanied(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  constexpr double sp_cycles = 2.0;
  constexpr std::int64_t count = 32;
  const auto threads = static_cast<unsigned>(32 * (1 + arguments.number("others", 7)));
  const StepRequest request = step_request(arguments);
  const auto time = [&](std::int64_t steps) {
    const MicroRun run = machine.run({request.file, "company", request.step, {{"COUNT", steps}}}, {1, threads});
    return sp_cycles * (run.out[1] - run.out[0]);
  };
  return (time(3 * count) - time(count)) / (2.0 * count) - arguments.real("stages", 0.0);
}

constexpr std::array<Measure, 13> pipeline_table{{
    {"accompanied", "clock reads of one warp while others keep the MAD unit busy", accompanied},
    {"barrier_latency", "clock reads around barriers", barrier_latency},
    {"barrier_per_warp", "what a barrier takes longer per further warp", barrier_per_warp},
    {"path_time", "kernel time of divergent paths over the one of one path", path_time},
    {"divergence", "whether divergent paths take the sum of their times", divergence},
    {"latency", "clock reads around COUNT and 2 COUNT steps of one warp", latency},
    {"pair", "clock reads around one pair of instructions of one warp", pair},
    {"throughput", "kernel time of two numbers of passes, one full SM", throughput},
    {"throughput_ratio", "cycles per instruction of one step over those of another", throughput_ratio},
    {"unit_rate", "busy cycles of a unit per instruction", unit_rate},
    {"saturation", "fewest warps that reach a share of the throughput of a full SM", saturation},
    {"peak", "lanes x SMs x clock / 32", peak},
    {"execution_estimate", "latency without register access and warp length", execution_estimate},
}};

}  // namespace

std::span<const Measure> pipeline_measures() {
  return pipeline_table;
}

}  // namespace teslasim
