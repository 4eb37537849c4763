// SPDX-License-Identifier: Apache-2.0
// What the analytical models want to know of a machine beyond the published experiments: see calibration_plan.h.
#include <algorithm>
#include <array>

#include "sim/validation/calibration_plan.h"
#include "sim/validation/measure.h"

namespace teslasim {
namespace {

constexpr unsigned threads_of_warp = 32;
constexpr std::uint32_t word = 4, log_word = 2;

struct Traffic {
  std::string step;
  Shape shape;
  std::uint32_t loads = 4, rounds = 4;
  std::uint32_t log_spread = log_word;  ///< bytes between neighbouring threads
};

MicroRun touch(MicroMachine& machine, const Traffic& traffic) {
  const std::uint64_t round = std::uint64_t{traffic.shape.blocks} * traffic.shape.threads << traffic.log_spread;
  const std::uint64_t bytes = round * traffic.loads * traffic.rounds;
  const std::array arguments{static_cast<std::uint32_t>(machine.allocate(bytes)),
                             static_cast<std::uint32_t>(traffic.step == "reads" ? 0 : machine.allocate(bytes)),
                             static_cast<std::uint32_t>(round), traffic.log_spread};
  return machine.run({"calibration", "traffic", traffic.step, {{"LOADS", traffic.loads}, {"PASSES", traffic.rounds}}},
                     traffic.shape, arguments);
}

/// SP cycles between two loads of one SM that has as many in flight as it can: per access when coalesced, per
/// transaction when every lane makes its own.
MeasuredValue departure(MicroMachine& machine, const MeasureArguments& arguments) {
  Traffic traffic{"reads", {1, machine.spec().gpu.max_threads_per_cta}, 4, 2, log_word};
  const bool scattered = arguments.text("pattern") == "scattered";
  if (scattered) traffic = {"reads", {1, 2 * threads_of_warp}, 4, 2, 7};
  const std::uint32_t few = traffic.rounds;
  const double start = touch(machine, traffic).cycles();
  traffic.rounds = 3 * few;
  const double cycles = touch(machine, traffic).cycles() - start;
  const double accesses = 2.0 * few * traffic.loads * traffic.shape.threads / threads_of_warp;
  return cycles / (scattered ? accesses * threads_of_warp : accesses);
}

/// GB/s of streams that read, write, and copy: the mean of the three (Konstantinidis 2017, A.3).
MeasuredValue memory_bandwidth(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr unsigned threads = 256, blocks_per_sm = 8;
  double sum = 0.0;
  for (const char* step : {"reads", "writes", "copies"}) {
    const Traffic traffic{step, {blocks_per_sm * machine.spec().sms(), threads}, 4, 2, log_word};
    const double streams = traffic.step == "copies" ? 2.0 : 1.0;
    const double bytes = streams * word * traffic.shape.blocks * traffic.shape.threads * traffic.loads * traffic.rounds;
    const double gbs = bytes / (static_cast<double>(touch(machine, traffic).statistics.duration) * 1e-6);
    if (arguments.text("of", step) == step) sum += gbs;
  }
  return arguments.has("of") ? sum : sum / 3.0;
}

/// GB/s of `loads` reads and `stores` writes of a word in each round of a thread, the bytes that threads asked for;
/// neighbouring threads lie 2^`log_spread` bytes apart.
MeasuredValue traffic_bandwidth(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr unsigned threads = 256, blocks_per_sm = 8;
  constexpr std::uint32_t rounds = 2;
  const Shape shape{blocks_per_sm * machine.spec().sms(), threads};
  const std::int64_t loads = arguments.number("loads", 4), stores = arguments.number("stores", 4);
  const auto log_spread = static_cast<std::uint32_t>(arguments.number("log_spread", log_word));
  const std::uint64_t round = std::uint64_t{shape.blocks} * threads << log_spread;
  const auto space = [&](std::int64_t accesses) {
    return static_cast<std::uint32_t>(
        accesses == 0 ? 0 : machine.allocate(round * rounds * static_cast<std::uint64_t>(accesses)));
  };
  const std::array data{space(loads), space(stores), static_cast<std::uint32_t>(round), log_spread};
  const MicroParameters parameters{{"LOADS", loads}, {"STORES", stores}, {"PASSES", rounds}};
  const MicroRun run = machine.run({"calibration", "traffic", "mixed", parameters}, shape, data);
  const double accesses = static_cast<double>(loads + stores) * rounds * shape.blocks * threads;
  return word * accesses / (static_cast<double>(run.statistics.duration) * 1e-6);
}

/// Reads of device memory with `mads` multiply-adds on each word (Konstantinidis 2017, appendix A): Gflop/s, or GB/s.
MeasuredValue mixbench(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr unsigned threads = 256, blocks_per_sm = 8;
  constexpr std::int64_t loads = 4, rounds = 4, most_in_a_step = 16;
  const Shape shape{blocks_per_sm * machine.spec().sms(), threads};
  const std::int64_t mads = arguments.number("mads", 4), steps = std::max<std::int64_t>(mads / most_in_a_step, 1);
  const double words = static_cast<double>(loads * rounds) * shape.blocks * shape.threads;
  const std::array data{static_cast<std::uint32_t>(machine.allocate(static_cast<std::uint64_t>(words) * word)),
                        word * shape.blocks * shape.threads};
  const MicroParameters parameters{{"PASSES", rounds}, {"LOADS", loads}, {"MADS", mads / steps}, {"STEPS", steps}};
  const MicroRun run = machine.run({"global", "stream", "mads", parameters}, shape, data);
  const std::int64_t done = mads / steps * steps;
  const double per_word = arguments.text("as") == "gbs" ? word : 2.0 * static_cast<double>(done);
  return per_word * words / (static_cast<double>(run.statistics.duration) * 1e-6);
}

/// GB/s of reads of a data set of `kb` KB, a power of two, through the texture caches, again and again (Konstantinidis
/// 2017, appendix B.1).
MeasuredValue cachebench(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr unsigned threads = 256, blocks_per_sm = 2;
  constexpr std::int64_t loads = 4, few = 4, many = 12;
  const Shape shape{blocks_per_sm * machine.spec().sms(), threads};
  const auto texels = static_cast<std::uint32_t>(arguments.number("kb", 4) * 1024 / word);
  machine.bind_texture(machine.allocate(std::uint64_t{texels} * word), texels);
  const std::array where{texels - 1, std::max(threads, texels / shape.blocks)};
  const auto nanoseconds = [&](std::int64_t rounds) {
    const MicroParameters parameters{{"PASSES", rounds}, {"LOADS", loads}};
    return static_cast<double>(
               machine.run({"texture", "cache", "texels", parameters}, shape, where).statistics.duration) *
           1e-6;
  };
  const double start = nanoseconds(few);
  return static_cast<double>(word * loads * (many - few)) * shape.blocks * shape.threads / (nanoseconds(many) - start);
}

constexpr std::array<Measure, 5> calibration_table{{
    {"mixbench", "kernel time of reads with multiply-adds on each word", mixbench},
    {"cachebench", "kernel times of two numbers of rounds of texture reads", cachebench},
    {"departure", "kernel time of reads by one SM, per access", departure},
    {"traffic_bandwidth", "kernel time of reads and writes in any proportion", traffic_bandwidth},
    {"memory_bandwidth", "kernel time of reads, writes and copies", memory_bandwidth},
}};

void constants(std::vector<CalibrationTask>& tasks, const MachineSpec& spec) {
  const auto chains = [](const char* step, const char* per, const char* operations) {
    return std::string("throughput file=calibration warps=8 COUNT=4 as=gops step=") + step + " per=" + per +
           " operations=" + operations;
  };
  tasks.push_back({"mem_ld", {}, "chase kb=64 stride=128"});
  tasks.push_back({"departure_del_coal", {}, "departure pattern=consecutive"});
  tasks.push_back({"departure_del_uncoal", {}, "departure pattern=scattered"});
  tasks.push_back({"pipeline_latency", {}, "latency step=mad_2"});
  tasks.push_back({"shared_latency", {}, "latency file=shared step=shared_add"});
  tasks.push_back({"t_sp", {}, chains("mad_chains", "16", "2")});
  tasks.push_back({"t_int", {}, chains("mad24_chains", "16", "2")});
  tasks.push_back({"t_add", {}, chains("add_chains", "16", "1")});
  tasks.push_back({"t_ldst", {}, chains("swap", "4", "1")});
  tasks.push_back({"constant_gops", {}, chains("constant_chains", "16", "1")});
  if (spec.sm.dp_units != 0)
    tasks.push_back({"t_dp", {}, "throughput file=double step=fma_2 as=gops operations=2 warps=8"});
  tasks.push_back({"b_mem", {}, "memory_bandwidth"});
  tasks.push_back({"texture_l1_gbs", {}, "cachebench kb=2"});
  tasks.push_back({"texture_l2_gbs", {}, "cachebench kb=64"});
  tasks.push_back({"texture_memory_gbs", {}, "cachebench kb=4096"});
}

void curves(std::vector<CalibrationTask>& tasks, const MachineSpec& spec) {
  constexpr std::array<double, 16> wanted{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32};
  for (const double warps : wanted) {
    if (warps > spec.gpu.max_warps_per_sm) break;
    const auto add = [&](const char* name, const std::string& measure) {
      tasks.push_back({name, {warps}, "throughput " + measure + " warps=" + std::to_string(static_cast<int>(warps))});
    };
    add("itp_mad", "wrapper=compiled step=mad_3 COUNT=12 as=ginstr");
    add("itp_mul", "wrapper=compiled step=mul_2 COUNT=12 as=ginstr");
    if (spec.sm.sfu_units != 0) add("itp_sfu", "wrapper=compiled step=rcp_1 COUNT=12 as=ginstr");
    if (spec.sm.dp_units != 0) add("itp_dp", "file=double step=fma_2 COUNT=12 as=ginstr");
    add("shared_gbs", "file=shared wrapper=compiled step=shared_add COUNT=12 as=gbs");
  }
}

void bandwidth(std::vector<CalibrationTask>& tasks, const MachineSpec& spec) {
  std::vector<double> blocks{static_cast<double>(spec.gpu.tpcs)};
  for (const double per_sm : {1.0, 2.0, 4.0, 8.0}) {
    if (per_sm * spec.sms() > blocks.back()) blocks.push_back(per_sm * spec.sms());
  }
  for (const double b : blocks) {
    for (const double threads : {32.0, 64.0, 128.0, 256.0, 512.0}) {
      if (threads > spec.gpu.max_threads_per_cta) continue;
      for (const int transactions : {1, 4, 16}) {
        const int loads = transactions < 4 ? transactions : 4;
        tasks.push_back({"global_gbs",
                         {b, threads, static_cast<double>(transactions)},
                         "stream_bandwidth blocks=" + std::to_string(static_cast<int>(b)) +
                             " threads=" + std::to_string(static_cast<int>(threads)) +
                             " loads=" + std::to_string(loads) + " rounds=" + std::to_string(transactions / loads)});
      }
    }
  }
}

}  // namespace

std::vector<CalibrationTask> calibration_plan(const MachineSpec& spec) {
  std::vector<CalibrationTask> tasks;
  constants(tasks, spec);
  curves(tasks, spec);
  bandwidth(tasks, spec);
  return tasks;
}

std::span<const Measure> calibration_measures() {
  return calibration_table;
}

}  // namespace teslasim
