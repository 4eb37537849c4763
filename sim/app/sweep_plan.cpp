// SPDX-License-Identifier: Apache-2.0
#include "sim/app/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <random>
#include <sstream>

#include "sim/base/config_document.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::array<std::string_view, 4> dse_tables{"area.", "screen.", "design.", "simulate."};
constexpr std::string_view axes_prefix = "axes.";
constexpr std::array<const char*, 11> keys{"schema", "name", "machine", "inputs", "mode",         "n",
                                           "seed",   "keep", "columns", "points", "rules.skip_if"};

/// A scalar as it is written behind `--set KEY=`.
std::optional<std::string> setting_of(const ConfigEntry& entry) {
  switch (entry.kind) {
    case ConfigEntry::Kind::whole_number:
      return std::to_string(std::get<std::int64_t>(entry.value));
    case ConfigEntry::Kind::real_number:
      return fmt::format("{}", std::get<double>(entry.value));
    case ConfigEntry::Kind::truth:
      return std::get<bool>(entry.value) ? "true" : "false";
    case ConfigEntry::Kind::text:
      return std::get<std::string>(entry.value);
    default:
      return std::nullopt;
  }
}

class Reader {
 public:
  Reader(const std::string& place, const std::string& text, PlanKind kind)
      : place_(place), kind_(kind), document_(parse_config(place, text, problems_)) {}

  SweepPlan read() {
    bool schema = false;
    for (const ConfigEntry& entry : document_.entries) {
      if (entry.kind == ConfigEntry::Kind::table || belongs_to_dse(entry)) continue;
      if (entry.key.starts_with(axes_prefix)) {
        axis(entry);
      } else {
        schema = schema || entry.key == "schema";
        take(entry);
      }
    }
    if (!schema && document_.complete)
      missing("PLAN-SCHEMA", "the file does not say what it is", "begin it with schema = \"" + schema_name() + "\"");
    check();
    if (problems_.has_errors()) throw InputError(ExitCode::configuration, problems_.all());
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::string schema_name() const {
    return kind_ == PlanKind::dse ? "teslasim.dse/1" : "teslasim.sweep/1";
  }
  [[nodiscard]] bool belongs_to_dse(const ConfigEntry& entry) const {
    return kind_ == PlanKind::dse && std::any_of(dse_tables.begin(), dse_tables.end(),
                                                 [&entry](auto table) { return entry.key.starts_with(table); });
  }
  void problem(const char* code, const ConfigEntry& entry, std::string message, std::string help = "") {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.where = entry.value_place;
    diagnostic.excerpt = entry.value_line;
    diagnostic.help = std::move(help);
    problems_.add(std::move(diagnostic));
  }
  void missing(const char* code, std::string message, std::string help) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.where.file = place_;
    diagnostic.help = std::move(help);
    problems_.add(std::move(diagnostic));
  }

  std::string text(const ConfigEntry& entry) {
    if (const auto* value = std::get_if<std::string>(&entry.value)) return *value;
    problem("PLAN-VALUE", entry, "'" + entry.key + "' must be a string, got " + entry.kind_name);
    return "";
  }
  std::uint64_t number(const ConfigEntry& entry) {
    const auto* value = std::get_if<std::int64_t>(&entry.value);
    if (entry.kind == ConfigEntry::Kind::whole_number && *value >= 0) return static_cast<std::uint64_t>(*value);
    problem("PLAN-VALUE", entry, "'" + entry.key + "' must be a whole number, not negative");
    return 0;
  }
  /// The elements of an array of scalars.
  std::vector<std::string> list(const ConfigEntry& entry) {
    std::vector<std::string> values;
    for (const ConfigEntry& element : entry.elements) {
      const std::optional<std::string> value = setting_of(element);
      if (value) {
        values.push_back(*value);
      } else {
        problem("PLAN-VALUE", element,
                std::string("a value here must be a number, a string or true/false, got ") + element.kind_name);
      }
    }
    if (entry.elements.empty())
      problem("PLAN-VALUE", entry, "'" + entry.key + "' must be a list with at least one value", "write [1, 2, 3]");
    return values;
  }

  void take(const ConfigEntry& entry) {
    if (entry.key == "schema") {
      if (text(entry) != schema_name())
        problem("PLAN-SCHEMA", entry, "this is not a plan of this command", "write schema = \"" + schema_name() + "\"");
    } else if (entry.key == "name") {
      plan_.name = text(entry);
    } else if (entry.key == "machine") {
      plan_.machine = text(entry);
      plan_.machine_place = {entry.value_place, entry.value_line};
    } else if (entry.key == "mode") {
      plan_.mode = text(entry);
      constexpr std::array<std::string_view, 4> modes{"grid", "zip", "list", "random"};
      if (std::find(modes.begin(), modes.end(), plan_.mode) == modes.end())
        problem("PLAN-VALUE", entry, "'mode' must be grid, zip, list or random");
    } else if (entry.key == "rules.skip_if") {
      plan_.skip_if = text(entry);
      skip_entry_ = &entry;
    } else if (entry.key == "n") {
      plan_.n = number(entry);
    } else if (entry.key == "seed") {
      plan_.seed = number(entry);
    } else if (entry.key == "inputs") {
      plan_.inputs = list(entry);
    } else if (entry.key == "keep") {
      plan_.keep = list(entry);
    } else if (entry.key == "points") {
      for (const std::string& point : list(entry)) take_point(entry, point);
    } else if (entry.key == "columns") {
      plan_.columns = list(entry);
    } else {
      const std::string near = nearest_word(entry.key, {keys.begin(), keys.end()});
      problem("PLAN-UNKNOWN", entry, "unknown key '" + entry.key + "'",
              near.empty() ? "axes stand below [axes]" : "did you mean '" + near + "'?");
    }
  }

  /// "KEY=VALUE KEY=VALUE", as behind --set.
  void take_point(const ConfigEntry& entry, const std::string& point) {
    std::vector<std::pair<std::string, std::string>> settings;
    std::istringstream words(point);
    for (std::string word; words >> word;) {
      const std::size_t sign = word.find('=');
      if (sign == std::string::npos || sign == 0 || sign + 1 == word.size()) {
        problem("PLAN-VALUE", entry, "'" + word + "' is not KEY=VALUE",
                "write \"sm.shared.banks=8 sm.registers=4096\"");
        continue;
      }
      settings.emplace_back(word.substr(0, sign), word.substr(sign + 1));
      const std::string& key = settings.back().first;
      const bool known =
          std::any_of(plan_.axes.begin(), plan_.axes.end(), [&key](const SweepAxis& axis) { return axis.key == key; });
      if (!known) plan_.axes.push_back({key, {}, {entry.value_place, entry.value_line}, {}});
    }
    plan_.points.push_back(std::move(settings));
  }

  void axis(const ConfigEntry& entry) {
    std::string key = entry.key.substr(axes_prefix.size());
    key.erase(std::remove(key.begin(), key.end(), '"'), key.end());
    plan_.axes.push_back({key, list(entry), {entry.key_place, entry.key_line}, {}});
    for (const ConfigEntry& value : entry.elements)
      plan_.axes.back().value_places.push_back({value.value_place, value.value_line});
    if (plan_.mode == "zip" && plan_.axes.back().values.size() != plan_.axes.front().values.size()) {
      problem("PLAN-VALUE", entry, "in mode zip all axes have equally many values");
    }
  }

  void check() {
    if (plan_.inputs.empty() && kind_ == PlanKind::sweep)
      missing("PLAN-VALUE", "the plan names no inputs", "inputs = [\"kernel.asm\"]");
    if (plan_.mode == "list") {
      if (plan_.points.empty())
        missing("PLAN-VALUE", "mode list needs points", "points = [\"sm.shared.banks=8 sm.registers=4096\"]");
      for (const SweepAxis& axis : plan_.axes) {
        if (!axis.values.empty()) missing("PLAN-VALUE", "mode list has points, no axes", "remove [axes]");
      }
    } else if (!plan_.points.empty()) {
      missing("PLAN-VALUE", "'points' belong to mode list", "write mode = \"list\", or values below [axes]");
    } else if (plan_.axes.empty() && kind_ == PlanKind::sweep)
      missing("PLAN-VALUE", "the plan has no axes", "[axes] with lines such as \"sm.shared.banks\" = [8, 16]");
    if (plan_.mode == "random" && plan_.n == 0)
      missing("PLAN-VALUE", "mode random needs n, the number of points of each input", "n = 20");
    const std::filesystem::path folder = std::filesystem::path(place_).parent_path();
    for (std::string& input : plan_.inputs) input = (folder / input).string();
    if (plan_.name.empty()) plan_.name = std::filesystem::path(place_).stem().string();
    if (plan_.skip_if.empty() || problems_.has_errors()) return;
    std::vector<std::pair<std::string, std::string>> first;
    if (plan_.mode == "list") {
      for (const SweepAxis& axis : plan_.axes) first.emplace_back(axis.key, "0");
    } else {
      for (const SweepAxis& axis : plan_.axes) first.emplace_back(axis.key, axis.values.front());
    }
    try {
      (void)skips(plan_.skip_if, first);
    } catch (const InputError& error) {
      problem("PLAN-VALUE", *skip_entry_, error.diagnostics().front().message, error.diagnostics().front().help);
    }
  }

  std::string place_;
  PlanKind kind_;
  Diagnostics problems_;
  ConfigDocument document_;
  const ConfigEntry* skip_entry_ = nullptr;
  SweepPlan plan_;
};

[[noreturn]] void broken(const std::string& message) {
  Diagnostic diagnostic;
  diagnostic.code = "PLAN-VALUE";
  diagnostic.message = "skip_if: " + message;
  diagnostic.help = "write comparisons of axes, e.g. \"sm.shared.banks == 8 && sm.registers < 8192\"";
  throw InputError(ExitCode::configuration, std::move(diagnostic));
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::optional<double> as_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool holds(const std::string& comparison, const std::vector<std::pair<std::string, std::string>>& settings) {
  constexpr std::array<std::string_view, 6> signs{"<=", ">=", "==", "!=", "<", ">"};
  const std::size_t at = comparison.find_first_of("<>=!");
  if (at == std::string::npos) broken("there is no comparison in '" + comparison + "'");
  const auto sign =
      std::find_if(signs.begin(), signs.end(), [&](auto s) { return comparison.compare(at, s.size(), s) == 0; });
  if (sign == signs.end()) broken("unknown comparison in '" + comparison + "'");
  const std::string key = trimmed(std::string_view(comparison).substr(0, at));
  std::string value = trimmed(std::string_view(comparison).substr(at + sign->size()));
  if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front())
    value = value.substr(1, value.size() - 2);
  const auto setting =
      std::find_if(settings.begin(), settings.end(), [&key](const auto& row) { return row.first == key; });
  if (setting == settings.end()) broken("'" + key + "' is not an axis");
  const std::optional<double> left = as_number(setting->second), right = as_number(value);
  const int order = left && right ? (*left < *right ? -1 : *left > *right ? 1 : 0) : setting->second.compare(value);
  if (*sign == "==") return order == 0;
  if (*sign == "!=") return order != 0;
  if (*sign == "<") return order < 0;
  if (*sign == "<=") return order <= 0;
  return *sign == ">" ? order > 0 : order >= 0;
}

std::vector<std::string> split(const std::string& text, std::string_view separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, at - begin));
    begin = at + separator.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Combinations of the axes; the last axis changes fastest.
std::vector<Settings> combinations(const SweepPlan& plan) {
  if (plan.mode == "list") return plan.points;
  std::vector<Settings> all;
  if (plan.mode == "zip") {
    for (std::size_t i = 0; i < plan.axes.front().values.size(); ++i) {
      Settings settings;
      for (const SweepAxis& axis : plan.axes) settings.emplace_back(axis.key, axis.values.at(i));
      all.push_back(std::move(settings));
    }
    return all;
  }
  if (plan.mode == "random") {
    std::mt19937_64 engine(plan.seed);
    for (std::uint64_t i = 0; i < plan.n; ++i) {
      Settings settings;
      for (const SweepAxis& axis : plan.axes)
        settings.emplace_back(axis.key, axis.values[engine() % axis.values.size()]);
      all.push_back(std::move(settings));
    }
    return all;
  }
  all.emplace_back();
  for (const SweepAxis& axis : plan.axes) {
    std::vector<Settings> longer;
    for (const Settings& settings : all) {
      for (const std::string& value : axis.values) {
        longer.push_back(settings);
        longer.back().emplace_back(axis.key, value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

SweepPlan read_sweep_plan(const std::string& place, const std::string& text, PlanKind kind) {
  return Reader(place, text, kind).read();
}

bool skips(const std::string& condition, const Settings& settings) {
  bool any = false;
  for (const std::string& alternative : split(condition, "||")) {
    bool all = true;
    for (const std::string& comparison : split(alternative, "&&")) all = holds(trimmed(comparison), settings) && all;
    any = any || all;
  }
  return any;
}

std::string describe(const SweepPoint& point) {
  std::string text = fmt::format("point {}  {}", point.number, std::filesystem::path(point.input).filename().string());
  for (const auto& [key, value] : point.settings) text += " " + key + "=" + value;
  return text;
}

std::vector<SweepPoint> sweep_points(const SweepPlan& plan) {
  std::vector<SweepPoint> points;
  std::size_t number = 0;
  for (const std::string& input : plan.inputs) {
    for (const Settings& settings : combinations(plan)) {
      ++number;
      if (!plan.skip_if.empty() && skips(plan.skip_if, settings)) continue;
      points.push_back({number, input, settings});
    }
  }
  return points;
}

}  // namespace teslasim
