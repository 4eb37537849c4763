// SPDX-License-Identifier: Apache-2.0
// Vector processors as the lecture introduces them: chimes, and a memory of independent banks.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

/// Cycles of a vector load whose elements go to the banks in turn, one address per cycle, a busy bank making all wait.
double load_cycles(std::size_t banks, double busy, double latency, std::size_t length, std::size_t stride) {
  std::vector<double> free_at(banks, 0.0);
  double cycle = 0.0;
  for (std::size_t i = 0; i < length; ++i) {
    double& bank = free_at[i * stride % banks];
    cycle = std::max(cycle, bank);
    bank = cycle + busy;
    cycle += 1.0;
  }
  return latency + cycle;
}

}  // namespace

void evaluate_vector_memory(Evaluation& e) {
  if (e.has_all({"convoys", "vector_length"})) {
    e.term("chime_cycles", e.need("convoys") * e.need("vector_length"), "cycles", "convoys times vector length");
  }
  if (e.has_all({"convoys", "flops_per_element"})) {
    e.term("cycles_per_flop", e.need("convoys") / e.need("flops_per_element"), "cycles", "start-up left out");
  }
  if (e.has_all({"references_per_cycle", "bank_ns", "cycle_ns"})) {
    e.term("banks_needed", e.need("references_per_cycle") * std::ceil(e.need("bank_ns") / e.need("cycle_ns")), "banks",
           "so that no reference waits");
  }
  e.require({"banks", "bank_busy_cycles", "memory_latency", "vector_length", "stride"});
  e.term("load_cycles",
         load_cycles(static_cast<std::size_t>(e.need("banks")), e.need("bank_busy_cycles"), e.need("memory_latency"),
                     static_cast<std::size_t>(e.need("vector_length")), static_cast<std::size_t>(e.need("stride"))),
         "cycles", "one vector load with this stride");
}

}  // namespace teslasim
