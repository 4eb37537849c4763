// SPDX-License-Identifier: Apache-2.0
#include "sim/report/compare/model_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "sim/base/slot_reason.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

/// The counts of one launch of a run.
class Simulated {
 public:
  Simulated(const RunData& run, const std::string& prefix) : run_(run), prefix_(prefix) {}

  [[nodiscard]] double get(const std::string& name) const { return run_.find(prefix_ + name).value_or(0.0); }
  [[nodiscard]] double sum(const std::string& table, std::initializer_list<const char*> names) const {
    double total = 0.0;
    for (const char* name : names) total += get(table + name);
    return total;
  }
  [[nodiscard]] double ms() const { return get("time.ms"); }
  [[nodiscard]] double shader_cycles() const { return get("time.cycles"); }
  [[nodiscard]] double sms() const { return std::max(1.0, run_.find("machine.sms").value_or(1.0)); }
  [[nodiscard]] double sm_cycles() const { return get("issue_slots.total") / sms(); }
  /// Milliseconds of so many SM cycles, summed over the SMs.
  [[nodiscard]] double ms_of(double all_sm_cycles) const {
    return sm_cycles() <= 0.0 ? 0.0 : ms() * all_sm_cycles / (sm_cycles() * sms());
  }
  /// SP cycles of an SM that so many slots of the GPU are.
  [[nodiscard]] double shader_cycles_of(double slots) const { return 2.0 * slots / sms(); }

 private:
  const RunData& run_;
  std::string prefix_;
};

class Collector {
 public:
  explicit Collector(const Prediction& prediction) : prediction_(prediction) {}

  void time(const char* term, double simulated, double all, const char* against, double scale = 1.0) {
    const PredictionTerm* found = prediction_.find_term(term);
    if (found == nullptr || all <= 0.0) return;
    const double predicted = scale * found->value;
    rows_.push_back({term, against, predicted, simulated, found->unit, std::abs(predicted - simulated) / all});
  }
  /// Of what the model leaves out; nothing when it was not simulated either.
  void without_term(const char* term, double simulated, double all, const char* against) {
    if (simulated > 0.0 && all > 0.0) rows_.push_back({term, against, 0.0, simulated, "cycles", simulated / all});
  }
  void value(const char* term, double simulated, const char* against) {
    const PredictionTerm* found = prediction_.find_term(term);
    if (found == nullptr) return;
    const double scale = std::max({std::abs(found->value), std::abs(simulated), 1e-30});
    rows_.push_back({term, against, found->value, simulated, found->unit, std::abs(found->value - simulated) / scale});
  }
  [[nodiscard]] double input(std::string_view name, double otherwise) const {
    for (const PredictionInput& input : prediction_.inputs) {
      if (input.name == name) return input.value;
    }
    return otherwise;
  }
  std::vector<TermComparison> take() { return std::move(rows_); }

 private:
  const Prediction& prediction_;
  std::vector<TermComparison> rows_;
};

void hong_kim(Collector& terms, const Simulated& run) {
  const double waiting = run.sum("warp_cycles.wait.", {"mem.global", "mem.local", "mem.tex"});
  const double issuing = run.get("warp_cycles.issuing");
  const double warps = terms.input("active_warps_per_sm", 32.0);
  const double slots = run.get("issue_slots.total");
  if (slots > 0.0) terms.value("mwp", waiting / slots, "mean warps of an SM that wait for memory");
  if (issuing > 0.0)
    terms.value("cwp", std::min(warps, (waiting + issuing) / issuing), "(waiting for memory + issuing) / issuing");
  terms.time("total_cycles", run.shader_cycles(), run.shader_cycles(), "SP cycles of the launch");
}

void zhang_owens(Collector& terms, const Simulated& run) {
  const double units =
      run.get("units.mad.busy_cycles") + run.get("units.sfu.busy_cycles") + run.get("units.dp.busy_cycles");
  const double passes = run.get("shared.accesses_half_warp") + run.get("shared.replays");
  terms.time("t_instruction_ms", run.ms_of(units), run.ms(), "MAD, SFU and DP units were starting warps");
  terms.time("t_shared_ms", run.ms_of(passes), run.ms(), "passes over shared memory, one SM cycle each");
  terms.time("t_global_ms", run.ms() * run.get("dram.utilisation_pct") / 100.0, run.ms(),
             "bytes of DRAM at its peak bandwidth");
}

/// Stack against stack: every slot of an SM is in one of the rows, so the simulated ones sum to the launch.
void interval(Collector& terms, const Simulated& run) {
  const double waves = terms.input("group_waves", 1.0);
  const double all = run.shader_cycles();
  const auto slots = [&run](ReasonCycles part) {
    double sum = 0.0;
    for (const SlotReasonInfo& reason : slot_reasons) {
      if (reason.cycles == part) sum += run.get("issue_slots." + std::string(reason.name));
    }
    return run.shader_cycles_of(sum);
  };
  terms.time("base", slots(ReasonCycles::base), all, "slots issued, replayed, and lost to busy units", waves);
  terms.time("compute_data", slots(ReasonCycles::compute), all,
             "slots lost to dependencies, shared and constant memory, branches", waves);
  terms.time("memory_data", slots(ReasonCycles::memory), all, "slots lost to memory", waves);
  terms.without_term("outside", slots(ReasonCycles::outside), all,
                     "slots of barriers and of SMs without warps, which the model does not have");
  terms.time("cycles", all, all, "SP cycles of the launch", waves);
}

void rooflines(Collector& terms, const Simulated& run, const char* rate, double operations) {
  const double bytes = run.get("dram.read_bytes") + run.get("dram.write_bytes");
  if (run.ms() > 0.0) terms.value(rate, operations / (run.ms() * 1e6), "operations / simulated time");
  if (bytes > 0.0) terms.value("kernel_intensity", operations / bytes, "operations / bytes of DRAM");
}

void latency_throughput(Collector& terms, const Simulated& run) {
  const double cycles = 2.0 * run.get("issue_slots.total");
  if (cycles > 0.0) terms.value("ipc", run.get("instructions.warp") / cycles, "warp instructions per SP cycle and SM");
}

std::string number(double value) {
  return fmt::format("{:.4g}", value);
}

std::string term_row(const TermComparison& row) {
  return fmt::format("    {}{:>12}{:>12} {} {}\n", padded(row.term, 20), number(row.predicted), number(row.simulated),
                     padded(row.unit, 8), row.against);
}

std::string sentence(const Prediction& prediction, const std::vector<TermComparison>& rows) {
  const auto worst = std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    const auto key = [](const TermComparison& row) {
      return row.term == "total_cycles" || row.term == "cycles" ? -1.0 : row.weight;
    };
    return key(a) < key(b);
  });
  if (worst == rows.end()) return "";
  const char* direction = worst->predicted > worst->simulated ? "more" : "less";
  return fmt::format("    {} differs most: {} predicts {} than was simulated ({} against {} {}: {})\n", worst->term,
                     prediction.model, direction, number(worst->predicted), number(worst->simulated), worst->unit,
                     worst->against);
}

/// Of the names of a launch's statistics.
std::string prefix_of(const std::vector<LaunchPredictions>& launches, std::size_t i) {
  return launches.size() == 1 ? "" : fmt::format("launches.{}.", i);
}

}  // namespace

std::vector<TermComparison> compare_terms(const Prediction& prediction, const RunData& run, const std::string& prefix) {
  const Simulated simulated(run, prefix);
  Collector terms(prediction);
  if (prediction.model.starts_with("hong-kim")) hong_kim(terms, simulated);
  if (prediction.model == "zhang-owens") zhang_owens(terms, simulated);
  if (prediction.model == "interval") interval(terms, simulated);
  if (prediction.model == "roofline") rooflines(terms, simulated, "attainable_gops", terms.input("operations", 0.0));
  if (prediction.model == "quantitative-roofline") {
    const PredictionTerm* work = prediction.find_term("work");
    rooflines(terms, simulated, "predicted_gops", work == nullptr ? 0.0 : work->value);
  }
  if (prediction.model == "latency-throughput") latency_throughput(terms, simulated);
  return terms.take();
}

std::string model_compare_json(const std::vector<LaunchPredictions>& launches, const RunData& run) {
  ComparedTerms compared(launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (const Prediction& prediction : launches[i].predictions) {
      compared[i].push_back(prediction.refusal.empty() ? compare_terms(prediction, run, prefix_of(launches, i))
                                                       : std::vector<TermComparison>{});
    }
  }
  return prediction_json(launches, compared);
}

std::string model_compare_text(const std::vector<LaunchPredictions>& launches, const RunData& run) {
  std::string text = prediction_text(launches, PredictionDetail::table);
  if (run.blocks().any)
    text +=
        fmt::format("  all of it about the {} of {} blocks that ran in time\n", run.blocks().timed, run.blocks().all);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const std::string prefix = prefix_of(launches, i);
    if (launches.size() > 1) text += fmt::format("\nlaunch {}: {}\n", i, launches[i].kernel);
    text += fmt::format("\n    {}{:>12}{:>12}\n", padded("term", 20), "predicted", "simulated");
    for (const Prediction& prediction : launches[i].predictions) {
      const std::vector<TermComparison> rows = compare_terms(prediction, run, prefix);
      if (rows.empty() || !prediction.refusal.empty()) continue;
      text += "  " + prediction.model + "\n";
      for (const TermComparison& row : rows) text += term_row(row);
      text += sentence(prediction, rows);
    }
  }
  return text;
}

}  // namespace teslasim
