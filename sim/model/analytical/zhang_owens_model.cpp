// SPDX-License-Identifier: Apache-2.0
// Zhang & Owens 2011: the time that each of three components (instruction pipeline, shared memory, global memory) needs
// for itself, per stage between barriers; the slowest is the bottleneck.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

constexpr double giga = 1e9;
constexpr double lanes = 32.0;
constexpr double bytes_per_pass = 64.0;  // a half-warp of 4-byte words
constexpr std::array types{"mul", "mad", "sfu", "dp"};

struct Component {
  const char* name;
  double seconds = 0.0;
};
using Components = std::array<Component, 3>;

Components no_time() {
  return {{{"instruction pipeline"}, {"shared memory"}, {"global memory"}}};
}

double sms_of(Evaluation& e) {
  return e.need(e.has("active_sms") ? "active_sms" : "sms");
}

double peak_of(Evaluation& e, const std::string& type) {
  return e.need("fu_" + type) * e.need("shader_ghz") * sms_of(e) / lanes;
}

void put_peaks(Evaluation& e) {
  e.require({"fu_mad", "shader_ghz"});
  for (const std::string type : types) {
    if (e.has("fu_" + type)) {
      e.term("peak_" + type, peak_of(e, type), "Ginst/s", "peak rate of this type of warp instruction (section 4.1)");
    }
  }
  e.term("peak_gflops", 2.0 * lanes * peak_of(e, "mad"), "GFLOP/s", "multiply-adds, two operations each");
  const double shared = e.need("fu_mad") * sms_of(e) * e.need("shader_ghz") * 4.0;
  e.term("shared_peak_gbs", shared, "GB/s", "one word per lane and cycle (section 4.2)");
  if (e.has_all({"memory_ghz", "bus_bits"})) {
    e.term("global_peak_gbs", e.need("memory_ghz") * e.need("bus_bits") / 8.0, "GB/s", "section 4.3");
  }
}

/// With one resident block its barriers separate the stages.
bool stages_are_separate(Evaluation& e) {
  return e.has("active_blocks_per_sm") && e.need("active_blocks_per_sm") < 1.5;
}

/// Share of a peak that the resident warps, or those of a stage of its own, can keep up when each waits `latency`
/// cycles after occupying the unit for `cycles`.
double kept_up(Evaluation& e, double cycles, const char* latency, const std::string& stage_warps) {
  if (!e.has("active_warps_per_sm")) return 1.0;
  const bool own = e.has(stage_warps) && stages_are_separate(e);
  const double warps = e.need(own ? stage_warps : "active_warps_per_sm");
  return std::min(1.0, warps * cycles / e.need(latency));
}

double instruction_rate(Evaluation& e, const std::string& type, const std::string& stage) {
  for (const std::string& measured : {stage + "itp_" + type, "itp_" + type}) {
    if (e.has(measured)) return e.need(measured);
  }
  e.require({"fu_" + type, "pipeline_latency"});
  if (e.need("fu_" + type) <= 0.0) e.refuse("the machine has no unit for instructions of type " + type);
  return peak_of(e, type) * kept_up(e, lanes / e.need("fu_" + type), "pipeline_latency", stage + "warps");
}

double shared_rate(Evaluation& e, const std::string& stage) {
  for (const std::string& measured : {stage + "shared_gbs", std::string("shared_gbs")}) {
    if (e.has(measured)) return e.need(measured);
  }
  e.require({"shared_latency", "fu_mad"});
  const double peak = e.need("fu_mad") * sms_of(e) * e.need("shader_ghz") * 4.0;
  return peak * kept_up(e, lanes / e.need("fu_mad"), "shared_latency",
                        stage + (e.has(stage + "shared_warps") ? "shared_warps" : "warps"));
}

double global_rate(Evaluation& e) {
  if (e.has("global_gbs")) return e.need("global_gbs");
  e.require({"memory_gbs"});
  double rate = e.need("memory_gbs");
  if (e.has_all({"active_warps_per_sm", "access_bytes", "mem_ld"})) {
    const double in_flight = e.need("active_warps_per_sm") * sms_of(e) * e.need("access_bytes");
    rate = std::min(rate, in_flight / e.need("mem_ld") * e.need("shader_ghz"));
  }
  return rate;
}

Components stage_times(Evaluation& e, const std::string& stage) {
  Components time = no_time();
  const auto count = [&](const std::string& name) { return e.has(stage + name) ? e.need(stage + name) : 0.0; };
  for (const std::string type : types) {
    const double instructions = count(type + "_insts");
    if (instructions > 0.0) time[0].seconds += instructions / (instruction_rate(e, type, stage) * giga);
  }
  const double passes = count("shared_passes");
  if (passes > 0.0) time[1].seconds = passes * bytes_per_pass / (shared_rate(e, stage) * giga);
  const double bytes = count("global_bytes");
  if (bytes > 0.0) time[2].seconds = bytes / (global_rate(e) * giga);
  return time;
}

const Component& slowest(const Components& components) {
  return *std::max_element(components.begin(), components.end(),
                           [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
}

std::vector<Components> all_stages(Evaluation& e) {
  std::vector<Components> stages;
  const auto exists = [&e](const std::string& stage) {
    const auto has = [&](const char* name) { return e.has(stage + name); };
    return has("mad_insts") || has("mul_insts") || has("sfu_insts") || has("dp_insts") || has("shared_passes") ||
           has("global_bytes");
  };
  for (std::size_t i = 0; exists("stage." + std::to_string(i) + "."); ++i) {
    stages.push_back(stage_times(e, "stage." + std::to_string(i) + "."));
  }
  return stages;
}

void put_fractions(Evaluation& e) {
  if (!e.has("itp_mad")) return;
  const double fraction = e.need("itp_mad") / peak_of(e, "mad");
  e.term("fraction_of_peak_instructions_pct", 100.0 * fraction, "%", "sustained with the active warps, of the peak");
  if (!e.has("mad_fraction")) return;
  const double optimism = e.has("optimism") ? e.need("optimism") : 0.0;
  e.term("fraction_of_peak_flops_pct", 100.0 * fraction * e.need("mad_fraction") * (1.0 - optimism), "%",
         "that, times the share of multiply-adds, less what the model is known to overlook (section 5.1)");
}

void put_stages(Evaluation& e, const std::vector<Components>& stages) {
  constexpr std::size_t shown = 24;
  if (stages.size() < 2) return;
  for (std::size_t i = 0; i < std::min(stages.size(), shown); ++i) {
    const std::string name = "stage." + std::to_string(i);
    e.term(name + "_ms", 1e3 * slowest(stages[i]).seconds, "ms", slowest(stages[i]).name);
    for (const Component& component : stages[i]) {
      const std::string short_name(component.name, std::string_view(component.name).find(' '));
      e.term(name + "_" + short_name + "_ms", 1e3 * component.seconds, "ms", component.name);
    }
  }
  if (stages.size() > shown) e.note("only the first " + std::to_string(shown) + " stages are shown");
}

}  // namespace

void evaluate_zhang_owens(Evaluation& e) {
  if (e.has_all({"entry_bytes", "index_bytes", "vector_bytes"})) {
    e.term("bytes_per_entry", e.need("entry_bytes") + e.need("index_bytes") + e.need("vector_bytes"), "bytes",
           "moved per value of a sparse matrix (section 5.3)");
  }
  refuse_one_block(e);
  put_peaks(e);
  put_fractions(e);
  const std::vector<Components> stages = all_stages(e);
  if (stages.empty()) e.refuse("it needs the counts of at least one stage (stage.0.mad_insts, ...)");
  Components total = no_time();
  double serial = 0.0;
  for (const Components& stage : stages) {
    for (std::size_t i = 0; i < total.size(); ++i) total[i].seconds += stage[i].seconds;
    serial += slowest(stage).seconds;
  }
  e.term("t_instruction_ms", 1e3 * total[0].seconds, "ms", "instruction pipeline");
  e.term("t_shared_ms", 1e3 * total[1].seconds, "ms", "shared memory");
  e.term("t_global_ms", 1e3 * total[2].seconds, "ms", "global memory");
  put_stages(e, stages);
  const bool one_resident = stages_are_separate(e);
  e.seconds(one_resident ? serial : slowest(total).seconds);
  e.bound(slowest(total).name);
  if (one_resident) e.note("one block per SM: its barriers separate the stages, so their times add up");
  if (!e.has("itp_mad")) e.note("not calibrated: rates grow with the warps up to the peak of the configuration");
}

}  // namespace teslasim
