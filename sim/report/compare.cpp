// SPDX-License-Identifier: Apache-2.0
#include "sim/report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/diagnostic.h"
#include "sim/base/slot_reason.h"
#include "sim/report/format.h"

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
  if (style == Style::time && *values[0] > 0.0 && *values[1] > 0.0) {
    const double ratio = *values[0] / *values[1];
    line += ratio >= 1.0 ? fmt::format("   ({:.2f}x faster)", ratio) : fmt::format("   ({:.2f}x slower)", 1.0 / ratio);
  }
  return line + '\n';
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

[[noreturn]] void refuse(const std::string& text, const std::string& message) {
  Diagnostic diagnostic;
  diagnostic.code = "CLI-FAIL-ON";
  diagnostic.message = "--fail-on '" + text + "': " + message;
  diagnostic.help = "write for example 'time_ms>+2%' or 'shared.replays>+0'";
  throw InputError(ExitCode::usage, std::move(diagnostic));
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
  text += row(runs, "time", "time_ms", Style::time);
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

std::string compare_json(const std::vector<RunData>& runs, const CompareOptions& options) {
  nlohmann::ordered_json document;
  document["schema"] = "teslasim.compare/1";
  for (const RunData& run : runs) {
    document["runs"].push_back(
        {{"label", run.label()}, {"machine", run.machine()}, {"status", run.status()}, {"digest", run.digest()}});
  }
  document["changed"] = nlohmann::ordered_json::array();
  for (const ChangedStatistic& statistic : changed_statistics(runs, options.changed)) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const std::optional<double>& value : statistic.values) {
      values.push_back(value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json());
    }
    document["changed"].push_back({{"name", statistic.name}, {"values", std::move(values)}});
  }
  return document.dump(1) + "\n";
}

ChangeLimit parse_change_limit(const std::string& text) {
  ChangeLimit limit;
  limit.text = text;
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string::npos || sign == 0) refuse(text, "there is no name with < or > behind it");
  limit.above = text[sign] == '>';
  limit.name = text.substr(0, text.find_last_not_of(" \t", sign - 1) + 1);
  std::string bound = text.substr(sign + 1);
  bound.erase(0, std::min(bound.find_first_not_of(" \t"), bound.size()));
  while (!bound.empty() && (bound.back() == ' ' || bound.back() == '\t')) bound.pop_back();
  limit.relative = bound.ends_with('%');
  if (limit.relative) bound.pop_back();
  if (!bound.starts_with('+') && !bound.starts_with('-')) refuse(text, "the change needs a sign, such as +2%");
  const char* first = bound.data() + (bound.front() == '+' ? 1 : 0);
  const auto [end, error] = std::from_chars(first, bound.data() + bound.size(), limit.bound);
  if (error != std::errc{} || end != bound.data() + bound.size() || first == end)
    refuse(text, "'" + bound + "' is not a number");
  return limit;
}

CheckedLimit check_limit(const ChangeLimit& limit, const std::vector<RunData>& runs) {
  CheckedLimit checked{limit, false, ""};
  const std::optional<double> first = runs.front().find(limit.name);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const std::optional<double> other = runs[i].find(limit.name);
    if (!first || !other)
      return {limit, true, "there is no '" + limit.name + "' in " + (first ? runs[i] : runs[0]).label()};
    double change = *other - *first;
    if (limit.relative && change != 0.0)
      change = *first == 0.0 ? std::copysign(INFINITY, change) : 100.0 * change / std::abs(*first);
    const bool failed = limit.above ? change > limit.bound : change < limit.bound;
    if (failed || checked.actual.empty()) {
      checked.actual = fmt::format("{:+.6g}{} in {}", change, limit.relative ? " %" : "", runs[i].label());
    }
    checked.failed = checked.failed || failed;
  }
  return checked;
}

std::string limit_report(const std::vector<CheckedLimit>& limits) {
  std::string text;
  for (const CheckedLimit& limit : limits) {
    text += fmt::format("fail-on: {}   {}  ({})\n", limit.limit.text, limit.failed ? "FAIL" : "pass", limit.actual);
  }
  return text;
}

}  // namespace teslasim
