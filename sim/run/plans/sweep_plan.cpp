// SPDX-License-Identifier: Apache-2.0
#include "sim/run/plans/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

#include "sim/base/config_document.h"
#include "sim/base/diagnostic.h"
#include "sim/report/text/format.h"
#include "sim/run/plans/plan_words.h"

namespace teslasim {
namespace {

constexpr std::array<std::string_view, 4> dse_tables{"area.", "screen.", "design.", "simulate."};
constexpr std::string_view axes_prefix = "axes.";
constexpr std::array<const char*, 14> keys{"schema",     "name",   "machine",       "inputs",     "mode",
                                           "n",          "seed",   "keep",          "columns",    "max_cycles",
                                           "max_points", "points", "rules.skip_if", "max_seconds"};
constexpr std::size_t longest_condition = 4096, most_axes = 64;

/// A scalar as `--set KEY=` takes it.
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
  void problem_at(const PlanPlace& place, const char* code, std::string message, std::string help = "") {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.where = place.where;
    diagnostic.excerpt = place.line;
    diagnostic.help = std::move(help);
    problems_.add(std::move(diagnostic));
  }
  void problem(const char* code, const ConfigEntry& entry, std::string message, std::string help = "") {
    problem_at({entry.value_place, entry.value_line}, code, std::move(message), std::move(help));
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
    const auto* value = std::get_if<std::string>(&entry.value);
    if (value == nullptr) problem("PLAN-VALUE", entry, "'" + entry.key + "' must be a string, got " + entry.kind_name);
    return value == nullptr ? "" : without_zero(entry, *value);
  }
  /// No name of a file has a character 0; the system would take what stands before it.
  std::string without_zero(const ConfigEntry& entry, const std::string& text) {
    if (text.find('\0') == std::string::npos) return text;
    problem("PLAN-VALUE", entry, "a text here cannot have the character 0");
    return "";
  }
  std::uint64_t number(const ConfigEntry& entry) {
    const auto* value = std::get_if<std::int64_t>(&entry.value);
    if (entry.kind == ConfigEntry::Kind::whole_number && *value >= 0) return static_cast<std::uint64_t>(*value);
    problem("PLAN-VALUE", entry, "'" + entry.key + "' must be a whole number, not negative");
    return 0;
  }
  double seconds(const ConfigEntry& entry) {
    const auto* whole = std::get_if<std::int64_t>(&entry.value);
    if (entry.kind == ConfigEntry::Kind::whole_number && *whole >= 0) return static_cast<double>(*whole);
    const auto* value = std::get_if<double>(&entry.value);
    if (value != nullptr && std::isfinite(*value) && *value >= 0.0) return *value;
    problem("PLAN-VALUE", entry, "'" + entry.key + "' must be a number of seconds, not negative");
    return 0.0;
  }
  /// The elements of an array of scalars.
  std::vector<std::string> list(const ConfigEntry& entry) {
    std::vector<std::string> values;
    for (const ConfigEntry& element : entry.elements) {
      const std::optional<std::string> value = setting_of(element);
      if (value) {
        values.push_back(without_zero(element, *value));
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
      take_name(entry);
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
      if (plan_.skip_if.size() > longest_condition)
        problem("PLAN-VALUE", entry, fmt::format("a condition has at most {} characters", longest_condition));
    } else if (entry.key == "n") {
      plan_.n = number(entry);
      size_entry_ = &entry;
    } else if (entry.key == "seed") {
      plan_.seed = number(entry);
    } else if (entry.key == "max_points") {
      take_max_points(entry);
    } else if (entry.key == "max_cycles") {
      plan_.max_cycles = number(entry);
    } else if (entry.key == "max_seconds") {
      plan_.max_seconds = seconds(entry);
    } else if (entry.key == "inputs") {
      plan_.inputs = list(entry);
      plan_.input_places = places_of(entry);
    } else if (entry.key == "keep") {
      plan_.keep = words_of(entry, files_of_point(), "a run has no file");
    } else if (entry.key == "points") {
      for (const std::string& point : list(entry)) take_point(entry, point);
      size_entry_ = &entry;
    } else if (entry.key == "columns") {
      take_columns(entry);
    } else {
      // --config is what `run` calls the machine.
      const std::string near = entry.key == "config" ? "machine" : nearest_word(entry.key, {keys.begin(), keys.end()});
      problem_at({entry.key_place, entry.key_line}, "PLAN-UNKNOWN", "unknown key '" + entry.key + "'",
                 near.empty() ? "axes stand below [axes]" : "did you mean '" + near + "'?");
    }
  }

  /// It becomes part of the name of a folder and of a job.
  void take_name(const ConfigEntry& entry) {
    plan_.name = text(entry);
    if (!is_plan_name(plan_.name) && entry.kind == ConfigEntry::Kind::text)
      problem(
          "PLAN-VALUE", entry, "this cannot be the name of a plan",
          fmt::format("letters, digits, '.', '_' and '-', no '.' in front, at most {} characters", longest_plan_name));
  }

  void take_max_points(const ConfigEntry& entry) {
    plan_.max_points = number(entry);
    if (plan_.max_points == 0 || plan_.max_points > largest_max_points)
      problem("PLAN-VALUE", entry, "'max_points' must be from 1 to " + grouped(largest_max_points));
  }

  /// Words of which each is one of `known`.
  std::vector<std::string> words_of(const ConfigEntry& entry, const std::vector<std::string>& known,
                                    const std::string& otherwise) {
    for (const ConfigEntry& element : entry.elements) {
      const std::string word = setting_of(element).value_or("");
      if (std::find(known.begin(), known.end(), word) != known.end()) continue;
      const std::string near = nearest_word(word, known);
      problem("PLAN-VALUE", element, otherwise + " '" + word + "'",
              near.empty() ? fmt::format("{}", fmt::join(known, ", ")) : "did you mean '" + near + "'?");
    }
    return list(entry);
  }

  void take_columns(const ConfigEntry& entry) {
    plan_.columns = list(entry);
    for (const ConfigEntry& element : entry.elements) {
      const std::string column = setting_of(element).value_or("");
      if (!is_column(column))
        problem("PLAN-VALUE", element, "there is no statistic '" + column + "'", column_help(column));
    }
  }

  static std::vector<PlanPlace> places_of(const ConfigEntry& entry) {
    std::vector<PlanPlace> places;
    for (const ConfigEntry& element : entry.elements) places.push_back({element.value_place, element.value_line});
    return places;
  }

  /// "KEY=VALUE KEY=VALUE", each as --set takes it.
  void take_point(const ConfigEntry& entry, const std::string& point) {
    std::vector<std::pair<std::string, std::string>> settings;
    std::set<std::string> here;
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
      if (!here.insert(key).second) problem("PLAN-VALUE", entry, "a point sets '" + key + "' twice");
      if (axis_keys_.insert(key).second) add_axis({key, {}, {entry.value_place, entry.value_line}, {}});
    }
    plan_.points.push_back(std::move(settings));
  }

  void add_axis(SweepAxis axis) {
    if (plan_.axes.size() < most_axes) plan_.axes.push_back(std::move(axis));
  }

  void axis(const ConfigEntry& entry) {
    std::string key = entry.key.substr(axes_prefix.size());
    key.erase(std::remove(key.begin(), key.end(), '"'), key.end());
    const PlanPlace place{entry.key_place, entry.key_line};
    if (key.find_first_of("= \t") != std::string::npos || has_control_character(key)) {
      return problem_at(place, "PLAN-VALUE", "this cannot be a key of a machine",
                        "teslasim configs reference lists them");
    }
    if (!axis_keys_.insert(key).second)
      return problem_at(place, "PLAN-VALUE", "there is another axis '" + key + "'", "write all its values in one list");
    add_axis({key, list(entry), place, places_of(entry)});
    for (const ConfigEntry& element : entry.elements) {
      if (has_control_character(setting_of(element).value_or("")))
        problem("PLAN-VALUE", element, "a value has no line ends and no control characters");
    }
  }

  void check() {
    check_mode();
    if (plan_.inputs.empty() && kind_ == PlanKind::sweep)
      missing("PLAN-VALUE", "the plan names no inputs", "inputs = [\"kernel.asm\"]");
    if (axis_keys_.size() > most_axes)
      missing("PLAN-SIZE", fmt::format("the plan has {} axes, more than {}", axis_keys_.size(), most_axes), "");
    const std::filesystem::path folder = std::filesystem::path(place_).parent_path();
    for (std::string& input : plan_.inputs) input = opened_as(folder / input);
    if (plan_.name.empty()) plan_.name = plan_name_from(place_);
    if (problems_.has_errors()) return;
    check_size();
    check_condition();
  }

  /// A path that no command takes for an option.
  static std::string opened_as(const std::filesystem::path& path) {
    const std::string text = path.string();
    return text.starts_with('-') ? "./" + text : text;
  }

  void check_mode() {
    const bool values =
        std::any_of(plan_.axes.begin(), plan_.axes.end(), [](const SweepAxis& axis) { return !axis.values.empty(); });
    if (plan_.mode == "list") {
      if (plan_.points.empty())
        missing("PLAN-VALUE", "mode list needs points", "points = [\"sm.shared.banks=8 sm.registers=4096\"]");
      if (values) missing("PLAN-VALUE", "mode list has points, no axes", "remove [axes]");
    } else if (!plan_.points.empty()) {
      missing("PLAN-VALUE", "'points' belong to mode list", "write mode = \"list\", or values below [axes]");
    } else if (plan_.axes.empty() && kind_ == PlanKind::sweep) {
      missing("PLAN-VALUE", "the plan has no axes", "[axes] with lines such as \"sm.shared.banks\" = [8, 16]");
    }
    if (plan_.mode == "random" && plan_.n == 0)
      missing("PLAN-VALUE", "mode random needs n, the number of points of each input", "n = 20");
    for (const SweepAxis& axis : plan_.axes) {
      if (plan_.mode == "zip" && axis.values.size() != plan_.axes.front().values.size())
        problem_at(axis.place, "PLAN-VALUE", "in mode zip all axes have equally many values");
    }
  }

  /// Before anything is expanded.
  void check_size() {
    const std::uint64_t size = plan_size(plan_);
    if (size <= plan_.max_points) return;
    const bool uncounted = size == std::numeric_limits<std::uint64_t>::max();
    const PlanPlace axis = plan_.axes.empty() ? PlanPlace{} : plan_.axes.back().place;
    const bool of_axes = size_entry_ == nullptr || plan_.mode == "grid" || plan_.mode == "zip";
    const PlanPlace place = of_axes ? axis : PlanPlace{size_entry_->value_place, size_entry_->value_line};
    problem_at(place, "PLAN-SIZE",
               fmt::format("the plan has {}{} points, more than {}", uncounted ? "over " : "", grouped(size),
                           grouped(plan_.max_points)),
               "leave values out, use mode random, or raise max_points (at most " + grouped(largest_max_points) + ")");
  }

  /// The condition understands every point, or the plan is wrong.
  void check_condition() {
    if (plan_.skip_if.empty() || problems_.has_errors()) return;
    std::vector<std::vector<std::pair<std::string, std::string>>> points = plan_.points;
    if (plan_.mode != "list") {
      points.emplace_back();
      for (const SweepAxis& axis : plan_.axes) points.back().emplace_back(axis.key, axis.values.front());
    }
    try {
      for (const auto& settings : points) (void)skips(plan_.skip_if, settings);
    } catch (const InputError& error) {
      problem("PLAN-VALUE", *skip_entry_, error.diagnostics().front().message, error.diagnostics().front().help);
    }
  }

  std::string place_;
  PlanKind kind_;
  Diagnostics problems_;
  ConfigDocument document_;
  const ConfigEntry* skip_entry_ = nullptr;
  const ConfigEntry* size_entry_ = nullptr;  ///< `n` or `points`
  std::set<std::string> axis_keys_;
  SweepPlan plan_;
};

}  // namespace

SweepPlan read_sweep_plan(const std::string& place, const std::string& text, PlanKind kind) {
  return Reader(place, text, kind).read();
}

}  // namespace teslasim
