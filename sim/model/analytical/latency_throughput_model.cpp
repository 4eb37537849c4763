// SPDX-License-Identifier: Apache-2.0
// Volkov's model of latency hiding: throughput is the lesser of what the warps in flight give by Little's law and what
// the units can do.
#include <algorithm>
#include <limits>
#include <string>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

constexpr double giga = 1e9;
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Chapter 3: the longest path and the busiest resource of one warp. False when neither is given.
bool warp_bounds(Evaluation& e) {
  double path = 0.0, cycles = 0.0;
  for (int i = 0; e.has("path." + std::to_string(i) + ".latency"); ++i) {
    path += e.need("path." + std::to_string(i) + ".latency");
  }
  for (int i = 0; e.has("resource." + std::to_string(i) + ".demand"); ++i) {
    const std::string name = "resource." + std::to_string(i);
    const double busy = e.need(name + ".demand") / e.need(name + ".rate");
    e.term(name + ".cycles", busy, "cycles", "exclusive use of this resource by one warp");
    cycles = std::max(cycles, busy);
  }
  if (path > 0.0) e.term("latency_bound", path, "cycles", "the longest path through the warp's instructions");
  if (cycles > 0.0) e.term("throughput_bound", 1.0 / cycles, "warps/cycle", "of the busiest resource");
  if (path > 0.0 && e.has_all({"access_bytes", "sms", "shader_ghz"})) {
    e.term("gbs_per_warp", e.need("access_bytes") * e.need("sms") * e.need("shader_ghz") / path, "GB/s",
           "bandwidth of one resident warp on each SM");
  }
  return path > 0.0 || cycles > 0.0;
}

double memory_throughput(Evaluation& e) {
  if (e.has("memory_throughput")) return e.need("memory_throughput");
  if (!e.has_all({"memory_gbs", "shader_ghz", "sms"})) return unlimited;
  const double bytes = e.need("memory_gbs") / (e.need("shader_ghz") * e.need("sms"));
  e.term("bytes_per_cycle", bytes, "B/cycle", "share of one SM in the bandwidth");
  if (!e.has("access_bytes")) return unlimited;
  const double throughput = bytes / e.need("access_bytes");
  e.term("memory_throughput", throughput, "IPC", "memory instructions per cycle and SM");
  return throughput;
}

struct Mix {
  double alu_latency = 0.0, alu = unlimited, memory_latency = 0.0, memory = unlimited, issue = unlimited;
};

void put_limits(Evaluation& e, const Mix& mix) {
  if (mix.alu < unlimited && mix.alu_latency > 0.0) {
    e.term("warps_needed_alu", mix.alu_latency * mix.alu, "warps", "for full arithmetic throughput (Little)");
  }
  if (mix.memory < unlimited && mix.memory_latency > 0.0) {
    e.term("warps_needed_memory", mix.memory_latency * mix.memory, "warps", "for full memory throughput (Little)");
  }
  if (mix.memory < unlimited && mix.alu < unlimited) {
    e.term("alpha_cusp", mix.alu / mix.memory, "", "arithmetic per memory instruction at which both are full");
    e.term("warps_at_cusp", mix.alu_latency * mix.alu + mix.memory_latency * mix.memory, "warps",
           "the most ever needed");
  }
}

/// The programming guide's rule, and the same with the instructions' own time counted (chapter 4, example 5).
void guide_rule(Evaluation& e) {
  const double cpi = e.need("cycles_per_instruction"), alpha = e.need("arithmetic_per_memory");
  const double latency = e.need("memory_latency");
  e.term("warps_needed_guide", latency / (cpi * alpha), "warps", "CUDA programming guide");
  e.term("warps_needed_refined", (latency + cpi * (alpha + 1.0)) / (cpi * (alpha + 1.0)), "warps", "all counted");
}

}  // namespace

void evaluate_latency_throughput(Evaluation& e) {
  const bool bounds = warp_bounds(e);
  if (e.has("cycles_per_instruction")) guide_rule(e);
  Mix mix;
  mix.memory = memory_throughput(e);
  if (e.has("alu_latency")) mix.alu_latency = e.need("alu_latency");
  if (e.has("alu_throughput")) mix.alu = e.need("alu_throughput");
  if (e.has("memory_latency")) mix.memory_latency = e.need("memory_latency");
  if (e.has("issue_throughput")) mix.issue = e.need("issue_throughput");
  put_limits(e, mix);
  if (bounds && !e.has("arithmetic_per_memory")) return;
  e.require({"arithmetic_per_memory"});
  const double alpha = e.need("arithmetic_per_memory");
  const double round_trip = mix.memory_latency + alpha * mix.alu_latency;
  if (round_trip <= 0.0) e.refuse("it needs the latencies of memory and arithmetic");
  const double arithmetic = alpha > 0.0 ? mix.alu / alpha : unlimited;
  const double unit = std::min({mix.memory, arithmetic, mix.issue / (alpha + 1.0)});
  if (unit < unlimited) {
    e.term("warps_needed", round_trip * unit, "warps", "to hide all latency with this mix");
  }
  e.require({"active_warps_per_sm"});
  const double by_latency = e.need("active_warps_per_sm") / round_trip;
  const double rate = std::min(by_latency, unit);
  e.term("memory_ipc", rate, "IPC", "memory instructions per cycle and SM");
  e.term("ipc", rate * (alpha + 1.0), "IPC", "all instructions per cycle and SM");
  e.bound(by_latency < unit ? "latency" : unit < mix.memory ? "compute" : "memory");
  e.require({"memory_insts_per_sm", "shader_ghz"});
  e.seconds(e.need("memory_insts_per_sm") / rate / (e.need("shader_ghz") * giga));
}

}  // namespace teslasim
