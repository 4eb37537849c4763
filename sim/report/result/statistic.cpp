// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/statistic.h"

#include "sim/report/result/counted_rows.h"
#include "sim/report/result/memory_balance.h"
#include "sim/report/result/statistic_writer.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr double femtoseconds_per_millisecond = 1e12;
constexpr const char* traffic_why = "counted in timing mode only";

/// The slots `issued` by class.
void write_classes(StatisticWriter out, const LaunchStatistics& launch) {
  for (std::size_t i = 0; i < issue_class_names.size(); ++i) {
    launch.timed ? out.count(issue_class_names[i], launch.issued_by_class[i])
                 : out.absent(issue_class_names[i], functional_why);
  }
}

void write_profiler(StatisticWriter out, const LaunchStatistics& launch) {
  for (std::size_t i = 0; i < profiler_counters.size(); ++i) {
    const ProfilerCounterInfo& counter = profiler_counters[i];
    if (!launch.timed) {
      out.absent(counter.name, traffic_why);
    } else if (launch.profiler.has(counter)) {
      out.count(counter.name, launch.profiler.counts[i]);
    } else {
      out.absent(counter.name, launch.profiler.strict ? "compute capability 1.2 and 1.3 only"
                                                      : "compute capability 1.0 and 1.1 only");
    }
  }
}

/// How many warps were there, and how many of them could issue, on an SM in an average cycle.
void write_warps(StatisticWriter out, const LaunchStatistics& launch) {
  const char* why = launch.timed ? "no time passed" : functional_why;
  const auto slots = static_cast<double>(launch.timed ? launch.slots.sum() : 0);
  const std::uint64_t eligible = launch.warp_cycles[SlotReason::issuing] +
                                 launch.warp_cycles[SlotReason::issuing_replay] +
                                 launch.warp_cycles[SlotReason::not_selected];
  const std::uint64_t without_block = launch.slots[SlotReason::empty_occupancy] + launch.slots[SlotReason::empty_tail];
  const double with_block = launch.timed ? slots - static_cast<double>(without_block) : 0.0;
  out.ratio("resident_avg", static_cast<double>(launch.warp_cycles.sum()), slots, why);
  out.ratio("resident_busy_avg", static_cast<double>(launch.warp_cycles.sum()), with_block, why);
  out.ratio("eligible_avg", static_cast<double>(eligible), slots, why);
}

void write_time(StatisticWriter out, const LaunchStatistics& launch) {
  if (launch.timed) {
    out.count("cycles", launch.shader_cycles.count());
    out.count("drain_cycles", sp_cycles(drain_cycles(launch)).count());
    out.put("ms", static_cast<double>(launch.duration) / femtoseconds_per_millisecond);
    out.put("overhead_ms", static_cast<double>(launch.overhead) / femtoseconds_per_millisecond);
    out.put("end_to_end_ms", static_cast<double>(launch.duration + launch.overhead) / femtoseconds_per_millisecond);
  } else {
    out.absent("cycles", functional_why);
    out.absent("drain_cycles", functional_why);
    out.absent("ms", functional_why);
    out.absent("overhead_ms", functional_why);
    out.absent("end_to_end_ms", functional_why);
  }
  out.text("clock", "shader");
}

/// The whole launch, of which `time` has the timed blocks only.
void write_sample(StatisticWriter out, const BlockSample& sample, const LaunchStatistics& launch) {
  out.count("waves", sample.waves);
  out.count("timed_blocks", sample.timed_blocks);
  out.count("function_blocks", sample.function_blocks);
  out.count("function_warp_instructions", sample.function_warp_instructions);
  out.count("measured_cycles", launch.shader_cycles.count());
  out.count("cycles", sample.cycles.count());
  out.count("cycles_bound", sample.cycles_bound.count());
  out.put("ms", static_cast<double>(sample.time) / femtoseconds_per_millisecond);
  out.put("ms_bound", static_cast<double>(sample.bound) / femtoseconds_per_millisecond);
  out.put("work_ratio", sample.work_ratio);
  out.put("trend_pct", 100.0 * sample.trend);
  out.put("steady", sample.steady);
}

void write_occupancy(StatisticWriter out, const LaunchStatistics& launch, unsigned sms) {
  out.count("warps", launch.occupancy.warps);
  out.count("max", launch.occupancy.max_warps);
  out.text("limiter", launch.occupancy.limiter);
  out.count("ctas_per_sm", launch.occupancy.ctas_per_sm);
  const double room_for_warps = static_cast<double>(launch.slots.sum()) * launch.occupancy.max_warps;
  out.ratio("possible_pct", 100.0 * launch.occupancy.warps, launch.occupancy.max_warps, "the machine holds no warps");
  out.ratio("achieved_pct", 100.0 * static_cast<double>(launch.warp_cycles.sum()), launch.timed ? room_for_warps : 0.0,
            launch.timed ? "no time passed" : functional_why);
  out.ratio("waves", static_cast<double>(launch.ctas_total), static_cast<double>(launch.occupancy.ctas_per_sm) * sms,
            "no block fits");
}

void write_units(CountedRows& counted, const StatisticWriter& out, const LaunchStatistics& launch) {
  const double slots = launch.timed ? static_cast<double>(launch.slots.sum()) : 0.0;
  for (std::size_t i = 0; i < unit_names.size(); ++i) {
    const std::string unit = "units/" + std::string(unit_names[i]) + '/';
    counted.write(out, unit);
    StatisticWriter(out).ratio(unit + "utilisation_pct", 100.0 * static_cast<double>(launch.unit_busy_cycles[i]), slots,
                               launch.timed ? "no time passed" : functional_why);
  }
}

void write_sms(const StatisticWriter& out, const LaunchStatistics& launch) {
  for (std::size_t i = 0; i < launch.sms.size(); ++i) {
    const SmStatistics& sm = launch.sms[i];
    StatisticWriter row = out.element("per_sm", i);
    row.count("sm", i);
    for (const Statistic& counted : counted_rows(sm, launch.timed)) row.put(counted.path, counted.value);
  }
}

void write_outputs(StatisticWriter out, const LaunchResult& launch) {
  if (!launch.outputs) {
    const char* why = "buffers are checked after the last launch";
    out.absent("checked", why);
    return out.absent("ok", why);
  }
  out.count("checked", launch.outputs->size());
  if (launch.outputs->empty()) return out.absent("ok", "nothing is expected of the buffers");
  bool all_ok = true;
  for (const OutputCheck& check : *launch.outputs) all_ok = all_ok && check.ok;
  out.put("ok", all_ok);
  for (std::size_t i = 0; i < launch.outputs->size(); ++i) {
    const OutputCheck& check = (*launch.outputs)[i];
    StatisticWriter row = out.element("buffers", i);
    row.text("name", check.buffer);
    row.put("ok", check.ok);
    row.count("compared", check.compared);
    row.count("wrong", check.wrong);
  }
}

void write_identity(StatisticWriter out, const LaunchResult& result, std::uint64_t index) {
  const LaunchStatistics& launch = result.statistics;
  out.count("index", index);
  out.text("kernel", launch.kernel);
  out.text("status", std::string(name_of(launch.status)));
  for (std::size_t i = 0; i < 2; ++i) out.count("grid/#" + std::to_string(i), launch.grid[i]);
  for (std::size_t i = 0; i < 3; ++i) out.count("block/#" + std::to_string(i), launch.block[i]);
  if (result.merged) {
    StatisticWriter merged = out.below("merged");
    merged.count("launches", result.merged->count);
    merged.count("last", result.merged->last);
    merged.put("same_shape", result.merged->same_shape);
  }
  out.put("sampled", result.sampled);
  out.put("approximate", result.approximate);
}

void write_predictions(const StatisticWriter& out, const LaunchResult& result) {
  const LaunchStatistics& launch = result.statistics;
  const double simulated =
      launch.timed && launch.status == RunStatus::ok ? static_cast<double>(launch.duration) * 1e-15 : 0.0;
  for (const Prediction& prediction : result.predictions) {
    StatisticWriter model = out.below("models").below(prediction.model);
    model.text("level", std::string(name_of(prediction.level)));
    if (prediction.seconds) {
      model.put("predicted_ms", *prediction.seconds * 1e3);
      model.text("bound", prediction.bound);
      model.ratio("error_pct", 100.0 * (*prediction.seconds - simulated), simulated, "nothing was simulated");
      continue;
    }
    const std::string why = prediction.refusal.empty() ? "the model does not predict a time" : prediction.refusal;
    for (const char* name : {"predicted_ms", "bound", "error_pct"}) model.absent(name, why);
  }
}

void write_launch(const StatisticWriter& out, const LaunchResult& result, std::uint64_t index,
                  const MachineFacts& machine) {
  const LaunchStatistics& launch = result.statistics;
  CountedRows counted(launch);
  write_identity(out, result, index);
  counted.write(out, "ctas/");
  write_time(out.below("time"), launch);
  if (result.sample) write_sample(out.below("sample"), *result.sample, launch);
  write_occupancy(out.below("occupancy"), launch, machine.sms);
  counted.write(out, "instructions/");
  counted.write(out, "issue_slots/");
  write_classes(out.below("issued_by_class"), launch);
  counted.write(out, "warp_cycles/");
  write_warps(out.below("warps"), launch);
  counted.write(out, "shared/");
  StatisticWriter banks = out.below("shared").below("bank_accesses");
  for (unsigned bank = 0; bank < launch.banks.banks; ++bank) banks.count(std::to_string(bank), launch.banks.of(bank));
  for (const char* section : {"constant/", "global/", "local/", "texture/", "texture_units/", "caches/instruction",
                              "caches/constant", "caches/texture", "caches/"}) {
    counted.write(out, section);
  }
  write_profiler(out.below("profiler"), launch);
  write_dram(out.below("dram"), launch, machine);
  counted.write(out, "requests/");
  counted.write(out, "tlb/");
  write_latency(counted, out, launch);
  counted.write(out, "divergence/");
  out.below("divergence")
      .ratio("simd_efficiency_pct", 100.0 * static_cast<double>(launch.active_lane_sum),
             static_cast<double>(launch.warp_instructions) * warp_size, "no instruction was issued");
  write_units(counted, out, launch);
  counted.write(out, "pipeline/");
  counted.write_rest(out);
  write_sms(out, launch);
  write_outputs(out.below("outputs"), result);
  write_predictions(out, result);
}

}  // namespace

std::vector<Statistic> statistics_of(const LaunchResult& launch, std::uint64_t index, const MachineFacts& machine) {
  std::vector<Statistic> list;
  write_launch(StatisticWriter(list, ""), launch, index, machine);
  return list;
}

std::vector<Statistic> statistics_of(const Result& result) {
  std::vector<Statistic> list;
  StatisticWriter out(list, "");
  out.text("schema", "teslasim.stats/1");
  out.text("status", std::string(name_of(result.status)));
  out.text("digest", digest_text(result.digest));
  out.text("counters_digest", digest_text(result.counters_digest));
  StatisticWriter machine = out.below("machine");
  machine.text("name", result.machine.name);
  if (result.machine.preset.empty()) {
    machine.absent("preset", "the machine is not a preset");
  } else {
    machine.text("preset", result.machine.preset);
  }
  machine.text("arch", result.machine.arch);
  machine.count("sms", result.machine.sms);
  machine.put("shader_mhz", result.machine.shader_mhz);
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    write_launch(out.element("launches", i), result.launches[i], result.number_of(i), result.machine);
  }
  StatisticWriter host = out.below("host");
  host.put("seconds", result.host.seconds);
  host.ratio("warp_instr_per_s", static_cast<double>(result.warp_instructions()), result.host.seconds,
             "no time passed");
  host.put("rss_mb", result.host.rss_mb);
  return list;
}

}  // namespace teslasim
