// SPDX-License-Identifier: Apache-2.0
#include "sim/report/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "sim/report/format.h"
#include "sim/report/statistic.h"

namespace teslasim {
namespace {

constexpr std::array<std::string_view, 6> comparisons{"<=", ">=", "==", "!=", "<", ">"};

struct Condition {
  bool negated = false;
  std::string name;
  std::string comparison;  ///< empty: the value alone is the condition
  double bound = 0.0;
};

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

[[noreturn]] void refuse(const std::string& text, std::string message, std::string help) {
  Diagnostic diagnostic;
  diagnostic.code = "CLI-EXPECT";
  diagnostic.message = "--expect '" + text + "': " + std::move(message);
  diagnostic.help = std::move(help);
  throw InputError(ExitCode::usage, std::move(diagnostic));
}

Condition parse(const std::string& text) {
  Condition expectation;
  const std::size_t at = text.find_first_of("<>=!", text.find_first_not_of(" \t!"));
  std::string name = trimmed(std::string_view(text).substr(0, at));
  if (name.starts_with('!')) {
    expectation.negated = true;
    name = trimmed(std::string_view(name).substr(1));
  }
  if (name.empty()) refuse(text, "there is no name", "write for example 'time_ms < 0.35' or 'outputs_ok'");
  expectation.name = name;
  if (at == std::string::npos) return expectation;
  const std::string_view rest = std::string_view(text).substr(at);
  const auto found =
      std::find_if(comparisons.begin(), comparisons.end(), [rest](auto sign) { return rest.starts_with(sign); });
  if (found == comparisons.end()) refuse(text, "unknown comparison", "use < <= > >= == !=");
  expectation.comparison = *found;
  const std::string number = trimmed(rest.substr(found->size()));
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), expectation.bound);
  if (error != std::errc{} || end != number.data() + number.size()) {
    refuse(text, "'" + number + "' is not a number", "write the number without a unit, e.g. 'time_ms < 0.35'");
  }
  return expectation;
}

std::string with_dots(std::string_view path) {
  std::string text;
  for (const char character : path) {
    if (character != '#') text += character == '/' ? '.' : character;
  }
  return text;
}

/// The name with list positions and other numbers replaced by '#', so that it can be looked up without a run.
std::string pattern_of(std::string_view name) {
  std::string pattern;
  while (!name.empty()) {
    const std::size_t dot = name.find('.');
    const std::string_view segment = name.substr(0, dot);
    const bool number = !segment.empty() && segment.find_first_not_of("0123456789") == std::string_view::npos;
    if (!pattern.empty()) pattern += '.';
    pattern += number ? "#" : std::string(segment);
    name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
  }
  return pattern;
}

std::set<std::string> known_patterns() {
  Result prototype;
  LaunchResult launch;
  launch.statistics.sms.resize(1);
  launch.statistics.partitions.resize(1);
  launch.outputs = std::vector<OutputCheck>{OutputCheck{}};
  prototype.launches.push_back(launch);
  std::set<std::string> patterns{"outputs_ok", "time_ms", "cycles"};
  for (const Statistic& statistic : statistics_of(prototype)) patterns.insert(pattern_of(with_dots(statistic.path)));
  for (const Statistic& statistic : statistics_of(launch, 0, prototype.machine)) {
    patterns.insert(pattern_of(with_dots(statistic.path)));
  }
  for (const SlotReasonInfo& reason : slot_reasons) {
    if (reason.views != ReasonViews::B) patterns.insert("stall." + std::string(reason.name) + "_pct");
  }
  return patterns;
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
      if (with_dots(statistic.path) != name) continue;
      if (const auto* count = std::get_if<std::uint64_t>(&statistic.value)) sum += *count;
      last = statistic.value;
    }
  }
  if (!last) return {{}, "not in this run"};
  if (std::holds_alternative<std::uint64_t>(*last)) return ToFound{}(sum);
  if (result.launches.size() > 1) return {{}, "the run has several launches: write launches.0." + name};
  return std::visit(ToFound{}, *last);
}

Found stall_percentage(const std::string& reason_name, const Result& result) {
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
    cycles += launch.statistics.shader_cycles;
    ms += static_cast<double>(launch.statistics.duration) * 1e-12;
  }
  return name == "cycles" ? ToFound{}(cycles) : ToFound{}(ms);
}

Found find(const std::string& name, const Result& result) {
  if (name == "outputs_ok") {
    if (result.outputs_checked() == 0) return {{}, "no buffer was checked"};
    return ToFound{}(result.outputs_ok());
  }
  if (name == "time_ms" || name == "cycles") return total_time(name, result);
  if (name.starts_with("stall.") && name.ends_with("_pct"))
    return stall_percentage(name.substr(6, name.size() - 10), result);
  for (const Statistic& statistic : statistics_of(result)) {
    if (with_dots(statistic.path) == name) return std::visit(ToFound{}, statistic.value);
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

void validate_expectations(const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  const std::set<std::string> patterns = known_patterns();
  for (const std::string& text : texts) {
    const Condition expectation = parse(text);
    if (patterns.contains(pattern_of(expectation.name))) continue;
    const std::string near = nearest_word(expectation.name, {patterns.begin(), patterns.end()});
    refuse(text, "unknown name '" + expectation.name + "'",
           near.empty() ? "names are outputs_ok, time_ms, cycles, stall.<reason>_pct and the paths of stats.json"
                        : "did you mean '" + near + "'?");
  }
}

CheckedExpectation evaluate_expectation(const std::string& text, const Result& result) {
  const Condition expectation = parse(text);
  const Found found = find(expectation.name, result);
  const bool pass = found.number && holds(expectation, *found.number) != expectation.negated;
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
