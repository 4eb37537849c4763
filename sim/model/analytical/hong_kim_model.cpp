// SPDX-License-Identifier: Apache-2.0
// Hong & Kim 2009: memory warp parallelism (MWP) against computation warp parallelism (CWP). Ye 2009 adds pipeline warp
// parallelism (PWP): with few warps an arithmetic instruction waits for the one before it.
#include <algorithm>
#include <cmath>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

constexpr double giga = 1e9;

struct HongKim {
  double coalesced = 0.0, uncoalesced = 0.0, warps = 0.0;
  double memory_latency = 0.0, departure_delay = 0.0;
  double memory_cycles = 0.0, computation_cycles = 0.0;
  double mwp = 0.0, cwp = 0.0, repetitions = 0.0;
  bool round = false;  ///< intermediates as the paper rounds them
  [[nodiscard]] double memory_instructions() const { return coalesced + uncoalesced; }
};

double rounded(double value, double steps) {
  return std::round(value * steps) / steps;
}

/// Eq. 10-15.
void memory_latency(Evaluation& e, HongKim& m) {
  const double share = m.uncoalesced / m.memory_instructions();
  const double latency = e.need("mem_ld");
  double uncoalesced = latency, delay = 0.0;
  if (m.uncoalesced > 0.0) {
    uncoalesced += (e.need("uncoal_per_mw") - 1.0) * e.need("departure_del_uncoal");
    delay = share * e.need("departure_del_uncoal") * e.need("uncoal_per_mw");
  }
  if (m.coalesced > 0.0) delay += (1.0 - share) * e.need("departure_del_coal");
  m.memory_latency = share * uncoalesced + (1.0 - share) * latency;
  m.departure_delay = delay;
  m.memory_cycles = uncoalesced * m.uncoalesced + latency * m.coalesced;
  e.term("departure_delay", delay, "cycles", "distance of two memory warps of an SM (eq. 15)");
  e.term("mem_l", m.memory_latency, "cycles", "latency of one memory instruction (eq. 12-14)");
}

/// Eq. 5-7, 16, 17.
void memory_parallelism(Evaluation& e, HongKim& m) {
  double full = m.memory_latency / m.departure_delay;
  double per_warp = e.need("shader_ghz") * e.need("load_bytes_per_warp") / m.memory_latency;
  if (m.round) {
    full = rounded(full, 100.0);
    per_warp = rounded(per_warp, 1000.0);
  }
  const double without_bandwidth = std::min(full, m.warps);
  e.term("mwp_without_bw_full", full, "warps", "accesses that overlap, bandwidth aside (eq. 16)");
  e.term("mwp_without_bw", without_bandwidth, "warps", "the same, at most the resident warps (eq. 17)");
  e.term("bw_per_warp", per_warp, "GB/s", "bandwidth that one warp asks for (eq. 7)");
  m.mwp = without_bandwidth;
  if (per_warp > 0.0) {
    double by_bandwidth = e.need("memory_gbs") / (per_warp * e.need("active_sms"));
    if (m.round) by_bandwidth = rounded(by_bandwidth, 100.0);
    e.term("mwp_peak_bw", by_bandwidth, "warps", "warps that use up the bandwidth (eq. 6)");
    m.mwp = std::min(m.mwp, by_bandwidth);
  }
  e.term("mwp", m.mwp, "warps", "memory warp parallelism (eq. 5)");
}

/// Eq. 22-24. Returns cycles of the launch without barriers.
double execution_cycles(Evaluation& e, const HongKim& m) {
  const double per_access = m.computation_cycles / m.memory_instructions();
  const auto all_warps = [&m](double parallelism) { return parallelism >= m.warps; };
  double cycles = 0.0;
  int number = 3;
  if (all_warps(m.mwp) && all_warps(m.cwp)) {
    number = 1;
    cycles = m.memory_cycles + m.computation_cycles + per_access * (m.mwp - 1.0);
    e.bound("latency");
  } else if (m.cwp >= m.mwp || m.computation_cycles > m.memory_cycles) {
    number = 2;
    cycles = m.memory_cycles * m.warps / m.mwp + per_access * (m.mwp - 1.0);
    e.bound("memory");
  } else {
    cycles = m.memory_latency + m.computation_cycles * m.warps;
    e.bound("compute");
  }
  e.term("case", number, "", "1: not enough warps (eq. 22), 2: memory hides computation (23), 3: the reverse (24)");
  cycles *= m.repetitions;
  e.term("exec_cycles", cycles, "cycles", "without the cost of barriers");
  return cycles;
}

/// Eq. 3-5 of Ye 2009; with pipeline_latency = issue_cycles this is eq. 19 of Hong & Kim.
double computation_cycles(Evaluation& e, double computation, double memory, bool pipeline) {
  const double issue = e.need("issue_cycles");
  double slower = 1.0;
  if (pipeline) {
    const double full = e.need("pipeline_latency") / issue;
    e.term("pwp_full", full, "warps", "warps that fill the pipeline (Ye, eq. 3)");
    e.require({"active_warps_per_sm"});
    const double pwp = std::min(full, e.need("active_warps_per_sm"));
    e.term("pwp", pwp, "warps", "pipeline warp parallelism (Ye, eq. 4)");
    slower = full / pwp;
  }
  e.require({"comp_insts"});
  const double cycles = issue * (slower * computation + memory);
  e.term("comp_cycles", cycles, "cycles", "issue of a warp's instructions (eq. 19; Ye, eq. 5)");
  return cycles;
}

HongKim start(Evaluation& e, bool pipeline) {
  HongKim m;
  const auto count = [&e](const char* name) { return e.has(name) ? e.need(name) : 0.0; };
  m.coalesced = count("coal_mem_insts");
  m.uncoalesced = count("uncoal_mem_insts");
  m.computation_cycles = computation_cycles(e, count("comp_insts"), m.memory_instructions(), pipeline);
  if (m.memory_instructions() <= 0.0) {
    e.refuse("the launch makes no global, local or texture access: MWP and CWP are not defined for it");
  }
  refuse_one_block(e);
  e.require({"mem_ld", "shader_ghz", "load_bytes_per_warp", "memory_gbs", "active_warps_per_sm", "active_blocks_per_sm",
             "active_sms", "blocks", "threads_per_block"});
  m.warps = e.need("active_warps_per_sm");
  m.round = e.has("rounded_intermediates") && e.need("rounded_intermediates") > 0.5;
  return m;
}

void run(Evaluation& e, bool pipeline) {
  HongKim m = start(e, pipeline);
  memory_latency(e, m);
  memory_parallelism(e, m);
  e.term("mem_cycles", m.memory_cycles, "cycles", "waiting of one warp for memory (eq. 18)");
  double full = (m.memory_cycles + m.computation_cycles) / m.computation_cycles;
  if (m.round) full = rounded(full, 100.0);
  m.cwp = std::min(full, m.warps);
  e.term("cwp_full", full, "warps", "warps that compute while one waits (eq. 8)");
  e.term("cwp", m.cwp, "warps", "computation warp parallelism (eq. 9)");
  const double blocks = e.need("blocks"), sms = e.need("active_sms"), resident = e.need("active_blocks_per_sm");
  m.repetitions = blocks / (resident * sms);
  e.term("rep", m.repetitions, "", "groups of resident blocks (eq. 21)");
  const double execution = execution_cycles(e, m);
  const double barriers = e.has("synch_insts") ? e.need("synch_insts") : 0.0;
  const double barrier_cost = m.departure_delay * (m.mwp - 1.0) * barriers * resident * m.repetitions;
  e.term("synch_cost", barrier_cost, "cycles", "barriers (eq. 26)");
  const double total = execution + barrier_cost;
  e.term("total_cycles", total, "cycles", "SP cycles of the launch");
  const double instructions =
      (e.need("comp_insts") + m.memory_instructions()) * (e.need("threads_per_block") / 32.0) * (blocks / sms);
  e.term("cpi", execution / instructions, "cycles", "per warp instruction of an SM, without barriers (eq. 27)");
  e.seconds(total / (e.need("shader_ghz") * giga));
  if (m.uncoalesced > 0.0)
    e.note("uncoalesced transactions are not charged to the bandwidth beyond the bytes asked for");
}

}  // namespace

void evaluate_hong_kim(Evaluation& e) {
  run(e, false);
}

void evaluate_pipeline_warp_parallelism(Evaluation& e) {
  run(e, true);
}

void refuse_one_block(Evaluation& e) {
  if (e.has("blocks") && e.need("blocks") < 1.5) {
    e.refuse("the grid has one block: the model assumes that all SMs do the same work");
  }
}

}  // namespace teslasim
