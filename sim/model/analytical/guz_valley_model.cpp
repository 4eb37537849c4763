// SPDX-License-Identifier: Apache-2.0
// Guz et al. 2009: performance against the number of threads for a machine with a shared cache; between the many-core
// and the many-thread end there may be a valley.
#include <algorithm>
#include <cmath>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

struct Machine {
  double pes, clock, cpi, cache_cycles, memory_cycles, ratio, cache, alpha, beta;
  double limit = 0.0;  ///< Gop/s by bandwidth for a miss rate of 1; 0 = none

  [[nodiscard]] double hit_rate(double threads) const {
    return cache <= 0.0 ? 0.0 : 1.0 - std::pow(cache / threads / beta + 1.0, -(alpha - 1.0));
  }
  [[nodiscard]] double performance(double threads) const {
    const double hit = hit_rate(threads);
    const double average = hit * cache_cycles + (1.0 - hit) * memory_cycles;
    const double utilisation = std::min(1.0, threads / (pes * (1.0 + average * ratio / cpi)));
    const double compute = pes * clock / cpi * utilisation;
    return limit > 0.0 && hit < 1.0 ? std::min(compute, limit / (1.0 - hit)) : compute;
  }
};

Machine machine_of(Evaluation& e) {
  e.require({"pes", "pe_ghz", "cpi", "memory_cycles", "memory_ratio"});
  Machine m{e.need("pes"),
            e.need("pe_ghz"),
            e.need("cpi"),
            1.0,
            e.need("memory_cycles"),
            e.need("memory_ratio"),
            0.0,
            1.0,
            1.0};
  if (e.has("cache_bytes")) {
    e.require({"cache_cycles", "locality_alpha", "locality_beta"});
    m.cache = e.need("cache_bytes");
    m.cache_cycles = e.need("cache_cycles");
    m.alpha = e.need("locality_alpha");
    m.beta = e.need("locality_beta");
  }
  if (e.has_all({"memory_gbs", "bytes_per_access"}) && m.ratio > 0.0) {
    m.limit = e.need("memory_gbs") / (m.ratio * e.need("bytes_per_access"));
  }
  return m;
}

/// Walks the curve: the highest point before the lowest point that follows a higher one, and the highest after it.
void put_curve(Evaluation& e, const Machine& m, double last) {
  constexpr double step = 64.0, margin = 1e-3;
  double peak = 0.0, peak_at = 0.0, valley = 0.0, valley_at = 0.0, plateau = 0.0;
  for (double threads = step; threads <= last; threads += step) {
    const double value = m.performance(threads);
    if (valley_at <= 0.0 ? value >= peak : false) {
      peak = value;
      peak_at = threads;
    } else if (value < peak * (1.0 - margin) && (valley_at <= 0.0 || value < valley)) {
      valley = value;
      valley_at = threads;
    }
    if (valley_at > 0.0 && threads > valley_at) plateau = std::max(plateau, value);
  }
  const bool exists = valley_at > 0.0 && plateau > valley * (1.0 + margin);
  e.term("has_valley", exists ? 1.0 : 0.0, "", "1 when performance falls and rises again with more threads");
  e.term("peak_gops", peak, "Gop/s", "the many-core end");
  e.term("peak_threads", peak_at, "threads", "the many-core end");
  if (!exists) return;
  e.term("valley_gops", valley, "Gop/s", "the lowest point after it");
  e.term("valley_threads", valley_at, "threads", "the lowest point after it");
  e.term("plateau_gops", plateau, "Gop/s", "the many-thread end");
}

}  // namespace

void evaluate_guz_valley(Evaluation& e) {
  const Machine m = machine_of(e);
  const double saturation = m.pes * (1.0 + m.memory_cycles * m.ratio / m.cpi);
  e.term("threads_to_saturate", saturation, "threads", "with no hits at all (Ye 2009, eq. 31)");
  if (m.cache > 0.0) put_curve(e, m, 1.5 * saturation);
  if (!e.has("threads")) return;
  e.term("hit_rate", m.hit_rate(e.need("threads")), "", "of the cache with these threads");
  e.term("performance_gops", m.performance(e.need("threads")), "Gop/s", "Ye 2009, eq. 30");
}

}  // namespace teslasim
