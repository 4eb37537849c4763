// SPDX-License-Identifier: Apache-2.0
#include "sim/run/plans/dse_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sim/base/config_document.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::string_view design_prefix = "design.";

class Reader {
 public:
  Reader(const std::string& place, const std::string& text)
      : place_(place), document_(parse_config(place, text, problems_)) {
    plan_.points = read_sweep_plan(place, text, PlanKind::dse);
  }

  DsePlan read() {
    for (const ConfigEntry& entry : document_.entries) {
      if (entry.kind == ConfigEntry::Kind::table) continue;
      if (entry.key.starts_with("area.")) take_area(entry);
      if (entry.key.starts_with("screen.")) take_screen(entry);
      if (entry.key.starts_with(design_prefix)) take_design(entry);
    }
    check();
    if (problems_.has_errors()) throw InputError(ExitCode::configuration, problems_.all());
    return std::move(plan_);
  }

 private:
  void problem(const ConfigEntry* entry, std::string message, std::string help) {
    Diagnostic diagnostic;
    diagnostic.code = "PLAN-VALUE";
    diagnostic.message = std::move(message);
    diagnostic.help = std::move(help);
    diagnostic.where.file = place_;
    if (entry != nullptr) {
      diagnostic.where = entry->value_place;
      diagnostic.excerpt = entry->value_line;
    }
    problems_.add(std::move(diagnostic));
  }
  double number(const ConfigEntry& entry) {
    if (const auto* whole = std::get_if<std::int64_t>(&entry.value); whole != nullptr && *whole >= 0)
      return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&entry.value); real != nullptr && std::isfinite(*real) && *real >= 0.0)
      return *real;
    const std::string what = entry.key.empty() ? "a value here" : "'" + entry.key + "'";
    problem(&entry, what + " must be a finite number, not negative", "");
    return 0.0;
  }
  std::uint64_t whole_number(const ConfigEntry& entry) {
    const auto* whole = std::get_if<std::int64_t>(&entry.value);
    if (whole != nullptr && *whole >= 0) return static_cast<std::uint64_t>(*whole);
    problem(&entry, "'" + entry.key + "' must be a whole number, not negative", "");
    return 0;
  }
  std::string text(const ConfigEntry& entry) {
    if (const auto* word = std::get_if<std::string>(&entry.value)) return *word;
    problem(&entry, "'" + entry.key + "' must be a string", "");
    return "";
  }
  void unknown(const ConfigEntry& entry, const std::vector<std::string>& known) {
    const std::string near = nearest_word(entry.key, known);
    problem(&entry, "unknown key '" + entry.key + "'", near.empty() ? "" : "did you mean '" + near + "'?");
  }

  void take_area(const ConfigEntry& entry) {
    AreaConstants& area = plan_.area;
    const std::array<std::pair<const char*, double*>, 6> keys{{{"area.budget", &area.budget},
                                                               {"area.tolerance", &area.tolerance},
                                                               {"area.fixed", &area.fixed},
                                                               {"area.per_sm", &area.per_sm},
                                                               {"area.per_register", &area.per_register},
                                                               {"area.per_shared_byte", &area.per_shared_byte}}};
    std::vector<std::string> known;
    for (const auto& [name, value] : keys) {
      known.emplace_back(name);
      if (entry.key != name) continue;
      *value = number(entry);
      return;
    }
    unknown(entry, known);
  }

  static std::string names_of_time_models() {
    std::string names;
    for (const Model& model : models()) {
      if (model.subject != ModelSubject::launch_time) continue;
      if (!names.empty()) names += ", ";
      names += model.name;
    }
    return names;
  }

  void take_screen(const ConfigEntry& entry) {
    if (entry.key == "screen.keep") {
      plan_.keep = whole_number(entry);
    } else if (entry.key == "screen.model") {
      plan_.screen_model = text(entry);
      const Model* model = find_model(plan_.screen_model);
      if (model == nullptr || model->subject != ModelSubject::launch_time)
        problem(&entry, "'" + plan_.screen_model + "' is no model of the time of a launch",
                "one of: " + names_of_time_models());
    } else {
      unknown(entry, {"screen.model", "screen.keep"});
    }
  }

  void take_design(const ConfigEntry& entry) {
    const std::string name = entry.key.substr(design_prefix.size());
    if (name == "model") {
      plan_.design = find_model(text(entry));
      if (plan_.design == nullptr || plan_.design->of_launch())
        problem(&entry, "there is no such model of designs", "teslasim models --list");
    } else if (name == "pes") {
      for (const ConfigEntry& element : entry.elements) plan_.pes.push_back(number(element));
    } else if (find_input_info(name) == nullptr) {
      problem(&entry, "there is no input '" + name + "'", "teslasim explain equal-area lists its inputs");
    } else {
      plan_.design_inputs.set(name, number(entry), InputOrigin::given,
                              place_ + ":" + std::to_string(entry.value_place.line) +
                                  (entry.source.empty() ? "" : " (" + entry.source + ")"));
    }
  }

  void check() {
    if (plan_.design != nullptr) {
      if (plan_.pes.empty()) problem(nullptr, "[design] needs pes", "pes = [128, 136, 144]");
      return;
    }
    if (plan_.area.budget <= 0.0) problem(nullptr, "the plan has no area", "[area] with budget = 118.88");
    if (plan_.points.inputs.empty()) problem(nullptr, "the plan names no inputs", "inputs = [\"kernel.asm\"]");
    if (plan_.points.axes.empty())
      problem(nullptr, "the plan has no axes", "[axes] with lines such as \"gpu.tpcs\" = [8, 10]");
  }

  std::string place_;
  Diagnostics problems_;
  ConfigDocument document_;
  DsePlan plan_;
};

}  // namespace

DsePlan read_dse_plan(const std::string& place, const std::string& text) {
  return Reader(place, text).read();
}

}  // namespace teslasim
