// SPDX-License-Identifier: Apache-2.0
#include "sim/report/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/slot_reason.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr std::size_t name_width = 32, value_width = 18;
constexpr std::size_t shown_reasons = 6;

/// Right-aligned by columns, not bytes.
std::string right(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return (used < width ? std::string(width - used, ' ') : std::string(" ")) + text;
}

std::string number(double value) {
  const bool whole = std::abs(value - std::round(value)) < 1e-9 && value >= 0.0 && value < 1e15;
  return whole ? grouped(static_cast<std::uint64_t>(std::llround(value))) : fmt::format("{:.6g}", value);
}

std::string relative_change(double from, double to) {
  if (from == to) return "0.0 %";
  if (std::abs(from) <= 0.0) return "new";
  return fmt::format("{:+.1f} %", 100.0 * (to - from) / from);
}

enum class Style : std::uint8_t { count, time, share };

std::string cell(const std::optional<double>& value, Style style) {
  if (!value) return "-";
  if (style == Style::time) return milliseconds(*value);
  return style == Style::share ? fmt::format("{:.1f} %", *value) : number(*value);
}

std::string row(const std::vector<RunData>& runs, const std::string& label, const std::string& name, Style style) {
  std::string line = padded(shortened(label, name_width), name_width);
  std::vector<std::optional<double>> values;
  for (const RunData& run : runs) {
    values.push_back(run.find(name));
    line += right(cell(values.back(), style), value_width);
  }
  if (runs.size() != 2 || !values[0] || !values[1]) return line + '\n';
  if (style == Style::share) return line + right(fmt::format("{:+.1f} pp", *values[1] - *values[0]), 14) + '\n';
  line += right(relative_change(*values[0], *values[1]), 14);
  return line + '\n';
}

/// "(1.52x faster)" of two runs, or why that cannot be said.
std::string speed(const std::vector<RunData>& runs) {
  if (runs.size() != 2) return "";
  if (const std::string why = obstacle_to_comparing(runs); !why.empty()) return "   (" + why + ")";
  const double from = runs[0].find("time_ms").value_or(0.0), to = runs[1].find("time_ms").value_or(0.0);
  if (from <= 0.0 || to <= 0.0 || from == to) return "";
  return from >= to ? fmt::format("   ({:.2f}x faster)", from / to) : fmt::format("   ({:.2f}x slower)", to / from);
}

std::string status_text(const RunData& run) {
  return (run.status().empty() ? "unknown" : run.status()) + (run.sampled() ? ", sample" : "");
}

std::string outputs_text(const CheckedOutputs& outputs) {
  if (outputs.checked == 0) return "not checked";
  const std::size_t right = outputs.checked - std::min<std::size_t>(outputs.checked, outputs.wrong.size());
  return fmt::format("{} ({} of {})", outputs.wrong.empty() ? "OK" : "WRONG", right, outputs.checked);
}

/// One launch's kernel, or how many launches there were.
std::string kernels_text(const RunData& run) {
  if (run.kernels().size() == 1) return run.kernels().front();
  return fmt::format("{} launches", run.kernels().size());
}

std::string words(const std::vector<RunData>& runs, const char* label, std::string (*of)(const RunData&)) {
  std::string line = padded(label, name_width);
  for (const RunData& run : runs) line += right(shortened(of(run), value_width - 2), value_width);
  return line + '\n';
}

/// What decides whether the numbers below it can be compared.
std::string identity_rows(const std::vector<RunData>& runs) {
  std::string text = words(runs, "status", status_text);
  text += words(runs, "outputs", [](const RunData& run) { return outputs_text(run.outputs()); });
  if (std::any_of(runs.begin(), runs.end(), [](const RunData& run) { return run.blocks().any; })) {
    text += words(runs, "blocks in time",
                  [](const RunData& run) { return fmt::format("{} of {}", run.blocks().timed, run.blocks().all); });
    text += words(runs, "time: bound at 95 %", [](const RunData& run) {
      return run.blocks().any ? "+-" + milliseconds(run.blocks().ms_bound) : std::string("measured");
    });
  }
  const bool same = std::all_of(runs.begin(), runs.end(),
                                [&](const RunData& run) { return run.kernels() == runs.front().kernels(); });
  return same ? text : text + words(runs, "kernel", kernels_text);
}

nlohmann::ordered_json run_json(const RunData& run) {
  nlohmann::ordered_json json{{"label", run.label()}, {"machine", run.machine()}, {"status", run.status()}};
  json["kernels"] = run.kernels();
  json["sampled"] = run.sampled();
  const CheckedOutputs& outputs = run.outputs();
  json["outputs"] = {{"checked", outputs.checked}, {"ok", nullptr}};
  if (outputs.checked != 0) json["outputs"]["ok"] = outputs.wrong.empty();
  json["flaw"] = nullptr;
  if (!run.sound()) json["flaw"] = run.flaw();
  json["digest"] = run.digest();
  return json;
}

/// The reasons whose shares differ most, after `issued`.
std::vector<std::string> reasons_to_show(const std::vector<RunData>& runs) {
  std::vector<std::pair<double, std::string>> spread;
  for (const SlotReasonInfo& reason : slot_reasons) {
    if (reason.views == ReasonViews::B || reason.name == "issued") continue;
    double low = 100.0, high = 0.0;
    for (const RunData& run : runs) {
      const double share = run.find("slots_pct." + std::string(reason.name)).value_or(0.0);
      low = std::min(low, share);
      high = std::max(high, share);
    }
    if (high >= 0.05) spread.emplace_back(std::max(high - low, 0.01 * high), reason.name);
  }
  std::stable_sort(spread.begin(), spread.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names{"issued"};
  for (std::size_t i = 0; i < std::min(spread.size(), shown_reasons); ++i) names.push_back(spread[i].second);
  return names;
}

std::string model_rows(const std::vector<RunData>& runs) {
  std::string text;
  for (const char* model : {"hong-kim", "zhang-owens", "latency-throughput", "quantitative-roofline", "roofline"}) {
    const std::string name = "models." + std::string(model) + ".predicted_ms";
    const bool any =
        std::any_of(runs.begin(), runs.end(), [&](const RunData& run) { return run.find(name).has_value(); });
    if (any) text += row(runs, "model " + std::string(model), name, Style::time);
  }
  return text;
}

bool differs(const std::vector<std::optional<double>>& values, double changed) {
  for (const std::optional<double>& value : values) {
    if (value.has_value() != values.front().has_value()) return true;
    if (!value) continue;
    const double scale = std::max(std::abs(*values.front()), std::abs(*value));
    if (std::abs(*value - *values.front()) > changed * scale) return true;
  }
  return false;
}

bool is_host(std::string_view name) {
  return name.starts_with("host.");
}

}  // namespace

std::vector<ChangedStatistic> changed_statistics(const std::vector<RunData>& runs, double changed) {
  std::vector<ChangedStatistic> list;
  std::vector<std::string> names;
  for (const RunData& run : runs) {
    for (const auto& [name, value] : run.numbers()) names.push_back(name);
  }
  std::stable_sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) {
    if (is_host(name)) continue;
    ChangedStatistic statistic{name, {}};
    for (const RunData& run : runs) statistic.values.push_back(run.find(name));
    if (differs(statistic.values, changed)) list.push_back(std::move(statistic));
  }
  return list;
}

std::string compare_text(const std::vector<RunData>& runs, const CompareOptions& options) {
  std::string text(name_width, ' ');
  for (const RunData& run : runs) text += right(shortened(run.label(), value_width - 2), value_width);
  text += runs.size() == 2 ? right("change", 14) + "\n" : "\n";
  text += identity_rows(runs);
  text += row(runs, "time", "time_ms", Style::time);
  text.insert(text.size() - 1, speed(runs));
  text += row(runs, "cycles", "cycles", Style::count);
  text += row(runs, "warp-instructions", "instructions.warp", Style::count);
  const std::vector<std::string> reasons = reasons_to_show(runs);
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    text +=
        row(runs, (i == 0 ? "issue slots: " : "             ") + reasons[i], "slots_pct." + reasons[i], Style::share);
  }
  text += model_rows(runs);
  const std::vector<ChangedStatistic> changed = changed_statistics(runs, options.changed);
  text += fmt::format("{} statistics changed by more than {:g} %{}\n", changed.size(), 100.0 * options.changed,
                      options.all || changed.empty() ? "" : " (--all lists them)");
  if (!options.all) return text;
  for (const ChangedStatistic& statistic : changed)
    text += row(runs, "  " + statistic.name, statistic.name, Style::count);
  return text;
}

std::string compare_json(const std::vector<RunData>& runs, const CompareOptions& options,
                         const std::vector<CheckedLimit>& limits) {
  nlohmann::ordered_json document;
  document["schema"] = "teslasim.compare/1";
  for (const RunData& run : runs) document["runs"].push_back(run_json(run));
  for (const CheckedLimit& limit : limits) {
    document["fail_on"].push_back({{"condition", limit.limit.text}, {"pass", !limit.failed}, {"actual", limit.actual}});
  }
  document["changed"] = nlohmann::ordered_json::array();
  for (const ChangedStatistic& statistic : changed_statistics(runs, options.changed)) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const std::optional<double>& value : statistic.values) {
      values.push_back(value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json());
    }
    document["changed"].push_back({{"name", statistic.name}, {"values", std::move(values)}});
  }
  return json_text(document, 1) + "\n";
}

}  // namespace teslasim
