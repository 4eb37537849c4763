// SPDX-License-Identifier: Apache-2.0
#include "sim/model/analytical/equal_area_model.h"

#include <algorithm>
#include <cmath>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

constexpr double pes_per_sm = 8.0;

AreaTable areas(Evaluation& e) {
  AreaTable table;
  if (e.has_all({"area_scratchpad_bank", "scratchpad_banks"})) {
    e.term("area_scratchpad", e.need("area_scratchpad_bank") * e.need("scratchpad_banks"), "mm2", "sum of its banks");
  }
  if (e.has_all({"area_scratchpad", "scratchpad_words"})) {
    table.scratchpad_word = e.need("area_scratchpad") / e.need("scratchpad_words");
    e.term("area_scratchpad_word", table.scratchpad_word, "mm2", "one word of scratchpad (Table 9)");
  }
  if (e.has_all({"area_registers", "register_words"})) {
    table.register_word = e.need("area_registers") / e.need("register_words");
    e.term("area_register_word", table.register_word, "mm2", "one register (Table 9)");
  }
  e.require({"area_total", "area_sms"});
  table.total = e.need("area_total");
  const double sm = table.total / e.need("area_sms");
  e.term("area_sm", sm, "mm2", "one SM of the reference design (Table 8)");
  e.require({"area_scratchpad", "area_registers"});
  table.fixed_per_sm = sm - e.need("area_scratchpad") - e.need("area_registers");
  e.term("area_fixed", table.fixed_per_sm, "mm2", "what every SM has (Table 8)");
  if (table.fixed_per_sm <= 0.0) e.refuse("scratchpad and registers alone are larger than the SM");
  return table;
}

struct Best {
  AreaPoint point;
  double pes = 0.0, threads = 0.0;
};

Best search(Evaluation& e, const AreaTable& table, const AreaWorkload& work) {
  const double first = e.value_or("pes_first", 128, "Ye 2009, Figure 18");
  const double last = e.value_or("pes_last", 216, "Ye 2009, Figure 18");
  const double step = e.value_or("pes_step", pes_per_sm, "one SM");
  const double threads_first = e.value_or("threads_first", 1000, "Ye 2009, Figure 18");
  const double threads_last = e.value_or("threads_last", 10000, "Ye 2009, Figure 18");
  const double threads_step = e.value_or("threads_step", 100, "fine enough for the published optima");
  Best best;
  for (double pes = first; pes <= last; pes += step) {
    for (double threads = threads_first; threads <= threads_last; threads += threads_step) {
      const AreaPoint point = equal_area_point(table, work, pes, threads);
      if (point.feasible && point.gops > best.point.gops) best = {point, pes, threads};
    }
  }
  return best;
}

void put_point(Evaluation& e, const Best& best) {
  if (!best.point.feasible) e.refuse("no design of this area has room for a scratchpad");
  e.term("best_pes", best.pes, "PEs", "processing elements of the design");
  e.term("best_threads", best.threads, "threads", "threads of the design");
  e.term("scratchpad_words_per_sm", best.point.scratchpad_words_per_sm, "words", "eq. 39, fixed area subtracted");
  e.term("threads_by_scratchpad", best.point.threads_by_scratchpad, "threads", "full scratchpad (eq. 37)");
  e.term("utilisation", best.point.utilisation, "", "eta (eq. 35)");
  e.term("performance_gops", best.point.gops, "Gop/s", "eq. 34");
}

}  // namespace

AreaPoint equal_area_point(const AreaTable& area, const AreaWorkload& work, double pes, double threads) {
  AreaPoint point;
  point.sms = pes / pes_per_sm;
  const double registers = threads * work.registers_per_thread * area.register_word;
  const double left = area.total - point.sms * area.fixed_per_sm - registers;
  point.scratchpad_words_per_sm = left / (point.sms * area.scratchpad_word);
  if (point.scratchpad_words_per_sm <= 0.0) return point;
  point.feasible = true;
  point.threads_by_scratchpad = point.sms * point.scratchpad_words_per_sm / work.working_set_words;
  point.threads_by_bandwidth = work.bandwidth_gbs * work.memory_cycles / (work.clock_ghz * work.bytes_per_thread);
  const double ratio = 2.0 / std::sqrt(point.scratchpad_words_per_sm);  // blocked matrix multiply, eq. 41
  const double effective = std::min({threads, point.threads_by_scratchpad, point.threads_by_bandwidth});
  point.utilisation = std::min(1.0, effective / (pes * (1.0 + work.memory_cycles * ratio / work.cpi)));
  point.gops = pes * work.clock_ghz / work.cpi * point.utilisation;
  return point;
}

void evaluate_equal_area(Evaluation& e) {
  if (e.has_all({"memory_gbs", "memory_cycles", "pe_ghz", "bytes_per_access"})) {
    e.term("threads_by_bandwidth",
           e.need("memory_gbs") * e.need("memory_cycles") / (e.need("pe_ghz") * e.need("bytes_per_access")), "threads",
           "full bandwidth (eq. 38)");
  }
  const AreaTable table = areas(e);
  e.require({"registers_per_thread", "working_set_words", "bytes_per_access", "memory_cycles", "cpi", "pe_ghz",
             "memory_gbs", "scratchpad_words", "register_words"});
  const AreaWorkload work{e.need("registers_per_thread"),
                          e.need("working_set_words"),
                          e.need("bytes_per_access"),
                          e.need("memory_cycles"),
                          e.need("cpi"),
                          e.need("pe_ghz"),
                          e.need("memory_gbs")};
  if (e.has_all({"pes", "threads"})) {
    put_point(e, {equal_area_point(table, work, e.need("pes"), e.need("threads")), e.need("pes"), e.need("threads")});
  } else {
    put_point(e, search(e, table, work));
  }
}

}  // namespace teslasim
