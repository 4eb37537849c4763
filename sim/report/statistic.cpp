// SPDX-License-Identifier: Apache-2.0
#include "sim/report/statistic.h"

#include <array>
#include <initializer_list>
#include <utility>

#include "sim/report/format.h"
#include "sim/report/statistic_writer.h"

namespace teslasim {
namespace {

constexpr double femtoseconds_per_millisecond = 1e12;
constexpr const char* traffic_why = "counted in timing mode only";

/// The state name in view B: shared reasons are what a warp waits for.
std::string warp_state_name(const SlotReasonInfo& reason) {
  return reason.views == ReasonViews::AB ? "wait." + std::string(reason.name) : std::string(reason.name);
}

void write_reasons(StatisticWriter out, const PerReason<>& counts, ReasonViews view, bool timed) {
  timed ? out.count("total", counts.sum()) : out.absent("total", functional_why);
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    const SlotReasonInfo& reason = slot_reasons[i];
    if (reason.views != ReasonViews::AB && reason.views != view) continue;
    const std::string name = view == ReasonViews::A ? std::string(reason.name) : warp_state_name(reason);
    timed ? out.count(name, counts.counts[i]) : out.absent(name, functional_why);
  }
}

void write_classes(StatisticWriter out, const LaunchStatistics& launch, bool known) {
  for (std::size_t i = 0; i < issue_class_names.size(); ++i) {
    known ? out.count(issue_class_names[i], launch.issued_by_class[i])
          : out.absent(issue_class_names[i], functional_why);
  }
}

void write_on_chip(StatisticWriter out, const char* accesses_name, const OnChipStatistics& memory) {
  out.count(accesses_name, memory.accesses);
  out.count("replays", memory.replays);
  StatisticWriter histogram = out.below("degree_hist");
  for (std::size_t degree = 1; degree < memory.degree.size(); ++degree) {
    histogram.count(std::to_string(degree), memory.degree[degree]);
  }
}

void write_traffic(StatisticWriter out, const CoalescingStatistics& traffic, bool counted) {
  const std::initializer_list<std::pair<const char*, std::uint64_t>> counts{
      {"requests_half_warp", traffic.requests_half_warp},
      {"transactions/16", traffic.transactions_16},
      {"transactions/32", traffic.transactions_32},
      {"transactions/64", traffic.transactions_64},
      {"transactions/128", traffic.transactions_128},
      {"bytes", traffic.bytes},
      {"bytes_used", traffic.bytes_used}};
  for (const auto& [name, value] : counts) counted ? out.count(name, value) : out.absent(name, traffic_why);
  if (!counted) return out.absent("efficiency", traffic_why);
  out.ratio("efficiency", static_cast<double>(traffic.bytes_used), static_cast<double>(traffic.bytes), "no access");
}

void write_cache(StatisticWriter out, const CacheStatistics& cache, bool timed) {
  const std::initializer_list<std::pair<const char*, std::uint64_t>> counts{{"accesses", cache.accesses},
                                                                            {"hits", cache.hits},
                                                                            {"misses", cache.misses},
                                                                            {"merged", cache.merged},
                                                                            {"fills", cache.fills}};
  for (const auto& [name, value] : counts) timed ? out.count(name, value) : out.absent(name, traffic_why);
  if (!timed) return out.absent("hit_rate", traffic_why);
  out.ratio("hit_rate", static_cast<double>(cache.hits), static_cast<double>(cache.accesses), "no access");
}

void write_caches(const StatisticWriter& out, const LaunchStatistics& launch, bool timed) {
  const CodeAndConstantStatistics& code = launch.code;
  write_cache(out.below("instruction_l1"), code.instruction_l1, timed);
  write_cache(out.below("instruction_l2"), code.instruction_l2, timed);
  write_cache(out.below("instruction_l3"), code.instruction_l3, timed);
  write_cache(out.below("constant_l1"), code.constant_l1, timed);
  write_cache(out.below("constant_l2"), code.constant_l2, timed);
  write_cache(out.below("constant_l3"), code.constant_l3, timed);
  write_cache(out.below("texture_l1"), launch.textures.l1, timed);
  write_cache(out.below("texture_l2"), launch.textures.l2, timed);
  StatisticWriter memory = out.below("memory");
  const std::initializer_list<std::pair<const char*, std::uint64_t>> counts{
      {"transactions", code.transactions}, {"answered", code.answered}, {"bytes", code.bytes}};
  for (const auto& [name, value] : counts) timed ? memory.count(name, value) : memory.absent(name, traffic_why);
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
    out.count("cycles", launch.shader_cycles);
    out.put("ms", static_cast<double>(launch.duration) / femtoseconds_per_millisecond);
    out.put("overhead_ms", static_cast<double>(launch.overhead) / femtoseconds_per_millisecond);
    out.put("end_to_end_ms", static_cast<double>(launch.duration + launch.overhead) / femtoseconds_per_millisecond);
  } else {
    out.absent("cycles", functional_why);
    out.absent("ms", functional_why);
    out.absent("overhead_ms", functional_why);
    out.absent("end_to_end_ms", functional_why);
  }
  out.text("clock", "shader");
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

void write_divergence(StatisticWriter out, const LaunchStatistics& launch) {
  out.count("branches", launch.branches);
  out.count("divergent", launch.divergent_branches);
  out.ratio("simd_efficiency_pct", 100.0 * static_cast<double>(launch.active_lane_sum),
            static_cast<double>(launch.warp_instructions) * warp_size, "no instruction was issued");
}

void write_units(const StatisticWriter& out, const LaunchStatistics& launch) {
  const auto slots = static_cast<double>(launch.slots.sum());
  for (std::size_t i = 0; i < unit_names.size(); ++i) {
    StatisticWriter unit = out.below(unit_names[i]);
    if (!launch.timed) {
      unit.absent("busy_cycles", functional_why);
      unit.absent("utilisation_pct", functional_why);
      continue;
    }
    unit.count("busy_cycles", launch.unit_busy_cycles[i]);
    unit.ratio("utilisation_pct", 100.0 * static_cast<double>(launch.unit_busy_cycles[i]), slots, "no time passed");
  }
}

void write_pipeline(StatisticWriter out, const LaunchStatistics& launch) {
  const std::initializer_list<std::pair<const char*, std::uint64_t>> counts{
      {"dual_issued_mul", launch.pipeline.dual_issued_mul},
      {"operand_wait_cycles", launch.pipeline.operand_wait_cycles},
      {"write_wait_cycles", launch.pipeline.write_wait_cycles},
      {"collector_full_cycles", launch.pipeline.collector_full_cycles}};
  for (const auto& [name, value] : counts) launch.timed ? out.count(name, value) : out.absent(name, functional_why);
}

void write_requests(StatisticWriter out, const LaunchStatistics& launch) {
  const std::initializer_list<std::pair<const char*, std::uint64_t>> counts{
      {"loads_sent", launch.load_requests},
      {"loads_answered", launch.load_responses},
      {"stores_sent", launch.store_requests},
      {"stores_performed", launch.stores_performed}};
  for (const auto& [name, value] : counts) launch.timed ? out.count(name, value) : out.absent(name, functional_why);
}

void write_sms(const StatisticWriter& out, const LaunchStatistics& launch) {
  for (std::size_t i = 0; i < launch.sms.size(); ++i) {
    const SmStatistics& sm = launch.sms[i];
    StatisticWriter row = out.element("per_sm", i);
    row.count("sm", i);
    row.count("blocks", sm.blocks);
    row.count("instructions/warp", sm.warp_instructions);
    row.count("instructions/thread", sm.thread_instructions);
    row.count("resident_warp_cycles", sm.resident_warp_cycles);
    write_reasons(row.below("issue_slots"), sm.slots, ReasonViews::A, launch.timed);
    write_reasons(row.below("warp_cycles"), sm.warp_cycles, ReasonViews::B, launch.timed);
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
  out.count("ctas/total", launch.ctas_total);
  out.count("ctas/done", launch.ctas_done);
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
  write_identity(out, result, index);
  write_time(out.below("time"), launch);
  write_occupancy(out.below("occupancy"), launch, machine.sms);
  StatisticWriter instructions = out.below("instructions");
  instructions.count("warp", launch.warp_instructions);
  instructions.count("thread", launch.thread_instructions);
  instructions.count("null", launch.null_instructions);
  instructions.count("barriers", launch.barriers);
  write_classes(instructions.below("by_class"), launch, true);
  write_reasons(out.below("issue_slots"), launch.slots, ReasonViews::A, launch.timed);
  write_classes(out.below("issued_by_class"), launch, launch.timed);
  write_reasons(out.below("warp_cycles"), launch.warp_cycles, ReasonViews::B, launch.timed);
  write_warps(out.below("warps"), launch);
  write_on_chip(out.below("shared"), "accesses_half_warp", launch.shared);
  StatisticWriter banks = out.below("shared").below("bank_accesses");
  for (unsigned bank = 0; bank < launch.banks.banks; ++bank) banks.count(std::to_string(bank), launch.banks.of(bank));
  write_on_chip(out.below("constant"), "accesses", launch.constant);
  out.below("constant").count("retries", launch.constant.retries);
  write_traffic(out.below("global"), launch.global, launch.timed);
  write_traffic(out.below("local"), launch.local, launch.timed);
  write_traffic(out.below("texture"), launch.texture, launch.timed);
  write_texture_units(out.below("texture_units"), launch);
  write_caches(out.below("caches"), launch, launch.timed);
  write_profiler(out.below("profiler"), launch);
  write_dram(out.below("dram"), launch, machine);
  write_requests(out.below("requests"), launch);
  write_tlb(out.below("tlb"), launch);
  write_latency(out.below("latency"), launch);
  write_divergence(out.below("divergence"), launch);
  write_units(out.below("units"), launch);
  write_pipeline(out.below("pipeline"), launch);
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
