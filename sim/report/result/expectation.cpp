// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include "sim/base/number_text.h"
#include "sim/base/option_mistake.h"
#include "sim/report/result/statistic.h"
#include "sim/report/result/statistic_names.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr std::array<std::string_view, 6> comparisons{"<=", ">=", "==", "!=", "<", ">"};

struct Condition {
  bool negated = false;
  std::string name;
  std::string comparison;  ///< empty: the value alone is the condition
  double bound = 0.0;
};

/// `part` is what is wrong of `text`: a view into it, empty where something is missing.
ExpectationMistake mistake(const std::string& text, std::string_view part, std::string message, std::string help) {
  return {static_cast<std::size_t>(part.data() - text.data()), part.size(), std::move(message), std::move(help)};
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

std::variant<Condition, ExpectationMistake> parse(const std::string& text) {
  const std::string_view all = text;
  Condition expectation;
  const std::size_t at = std::min(all.find_first_of("<>=!", all.find_first_not_of(" \t!")), all.size());
  std::string_view name = trimmed(all.substr(0, at));
  if (name.starts_with('!')) {
    expectation.negated = true;
    name = trimmed(name.substr(1));
  }
  if (name.empty())
    return mistake(text, name, "there is no name", "write for example 'time_ms < 0.35' or 'outputs_ok'");
  expectation.name = name;
  if (at == all.size()) return expectation;
  const std::string_view rest = all.substr(at);
  const auto found =
      std::find_if(comparisons.begin(), comparisons.end(), [rest](auto sign) { return rest.starts_with(sign); });
  if (found == comparisons.end()) return mistake(text, rest.substr(0, 1), "unknown comparison", "use < <= > >= == !=");
  expectation.comparison = *found;
  const std::string_view number = trimmed(rest.substr(found->size()));
  const std::optional<double> bound = finite_number(number);
  if (!bound) {
    return mistake(text, number, "'" + std::string(number) + "' is not a number",
                   "write a finite number without a unit, e.g. 'time_ms < 0.35'");
  }
  expectation.bound = *bound;
  return expectation;
}

/// A number, or in words why there is none.
struct Found {
  std::optional<double> number;
  std::string text;
};

struct ToFound {
  Found operator()(const NotApplicable& value) const { return {{}, value.why}; }
  Found operator()(bool value) const { return {value ? 1.0 : 0.0, value ? "true" : "false"}; }
  Found operator()(std::uint64_t value) const { return {static_cast<double>(value), std::to_string(value)}; }
  Found operator()(double value) const { return {value, fmt::format("{:.6g}", value)}; }
  Found operator()(const std::string& value) const { return {{}, "'" + value + "' is not a number"}; }
};

Found find_in_launches(const std::string& name, const Result& result) {
  std::uint64_t sum = 0;
  std::optional<StatisticValue> last;
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    for (const Statistic& statistic : statistics_of(result.launches[i], i, result.machine)) {
      if (dotted_name(statistic.path) != name) continue;
      if (const auto* count = std::get_if<std::uint64_t>(&statistic.value)) sum += *count;
      last = statistic.value;
    }
  }
  if (!last) return {{}, "not in this run"};
  if (std::holds_alternative<std::uint64_t>(*last)) return ToFound{}(sum);
  if (result.launches.size() > 1) return {{}, "the run has several launches: write launches.0." + name};
  return std::visit(ToFound{}, *last);
}

Found stall_percentage(std::string_view reason_name, const Result& result) {
  std::uint64_t part = 0, total = 0;
  for (const LaunchResult& launch : result.launches) {
    total += launch.statistics.slots.sum();
    for (unsigned i = 0; i < slot_reason_count; ++i) {
      if (slot_reasons[i].name == reason_name) part += launch.statistics.slots.counts[i];
    }
  }
  if (total == 0) return {{}, "functional mode has no time"};
  return ToFound{}(100.0 * static_cast<double>(part) / static_cast<double>(total));
}

Found total_time(const std::string& name, const Result& result) {
  if (!result.timed()) return {{}, "functional mode has no time"};
  std::uint64_t cycles = 0;
  double ms = 0.0;
  for (const LaunchResult& launch : result.launches) {
    cycles += launch.cycles().count();
    ms += static_cast<double>(launch.time()) * 1e-12;
  }
  return name == "cycles" ? ToFound{}(cycles) : ToFound{}(ms);
}

Found find(const std::string& name, const Result& result) {
  if (name == "outputs_ok") {
    if (result.outputs_checked() == 0) return {{}, "no buffer was checked"};
    return ToFound{}(result.outputs_ok());
  }
  if (name == "time_ms" || name == "cycles") return total_time(name, result);
  if (const std::string_view reason = reason_in_name(name); !reason.empty()) return stall_percentage(reason, result);
  for (const Statistic& statistic : statistics_of(result)) {
    if (dotted_name(statistic.path) == name) return std::visit(ToFound{}, statistic.value);
  }
  return find_in_launches(name, result);
}

bool holds(const Condition& expectation, double value) {
  const double bound = expectation.bound;
  if (expectation.comparison.empty()) return value != 0.0;
  if (expectation.comparison == "<") return value < bound;
  if (expectation.comparison == "<=") return value <= bound;
  if (expectation.comparison == ">") return value > bound;
  if (expectation.comparison == ">=") return value >= bound;
  if (expectation.comparison == "==") return !(value < bound) && !(value > bound);
  return value < bound || value > bound;
}

}  // namespace

std::optional<ExpectationMistake> mistake_in_expectation(const std::string& text) {
  const auto parsed = parse(text);
  if (const auto* wrong = std::get_if<ExpectationMistake>(&parsed)) return *wrong;
  const std::string& name = std::get<Condition>(parsed).name;
  if (is_statistic_name(name, NamedValue::any)) return std::nullopt;
  const std::string near = nearest_statistic_name(name);
  return mistake(text, std::string_view(text).substr(text.find(name), name.size()), "unknown name '" + name + "'",
                 near.empty() ? "names are outputs_ok, time_ms, cycles, stall.<reason>_pct and the paths of stats.json"
                              : "did you mean '" + near + "'?");
}

void validate_expectations(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::optional<ExpectationMistake> wrong = mistake_in_expectation(text);
    if (!wrong) continue;
    refuse_option("CLI-EXPECT", {"--expect", text, wrong->begin, wrong->length},
                  "--expect '" + text + "': " + wrong->message, wrong->help);
  }
}

CheckedExpectation evaluate_expectation(const std::string& text, const Result& result) {
  const auto parsed = parse(text);
  const auto* expectation = std::get_if<Condition>(&parsed);
  SIM_CHECK(expectation != nullptr, "a condition that was not validated");
  if (result.status != RunStatus::ok)
    return {text, false, "the run did not finish: " + std::string(name_of(result.status))};
  const Found found = find(expectation->name, result);
  const bool pass = found.number && holds(*expectation, *found.number) != expectation->negated;
  return {text, pass, found.text};
}

std::string expectation_report(const std::vector<CheckedExpectation>& checked) {
  std::size_t width = 0;
  for (const CheckedExpectation& expectation : checked) width = std::max(width, columns(expectation.text));
  std::string text;
  for (const CheckedExpectation& expectation : checked) {
    text += "expect: " + padded(expectation.text, width) +
            (expectation.pass ? "   pass" : "   FAIL  (" + expectation.actual + ")") + '\n';
  }
  return text;
}

}  // namespace teslasim
