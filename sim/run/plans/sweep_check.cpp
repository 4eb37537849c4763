// SPDX-License-Identifier: Apache-2.0
// What a plan says of machines, against the machines that there are.
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "sim/gpu/machine/machine_loader.h"
#include "sim/run/plans/sweep_plan.h"

namespace teslasim {
namespace {

/// What is wrong with a machine; nothing when it loads.
std::vector<Diagnostic> mistakes_of(const std::string& machine, const std::vector<std::string>& sets) {
  try {
    (void)load_machine({machine}, sets);
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

void add_at(const PlanPlace& place, Diagnostic mistake, Diagnostics& problems) {
  mistake.where = place.where;
  mistake.excerpt = place.line;
  problems.add(std::move(mistake));
}

/// Why a file cannot be read; empty when it can.
std::string unreadable(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return "it is a folder";
  return access(path.c_str(), R_OK) == 0 ? "" : std::generic_category().message(errno);
}

/// Mistakes that any value of the axis would have. Returns false when there are some.
bool check_key(const SweepPlan& plan, const SweepAxis& axis, Diagnostics& problems) {
  bool right = true;
  for (const Diagnostic& mistake : mistakes_of(plan.machine, {axis.key + "=0"})) {
    if (mistake.code != "CFG-UNKNOWN" && mistake.code != "CFG-SYNTAX") continue;
    add_at(axis.place, mistake, problems);
    right = false;
  }
  return right;
}

void check_values(const SweepPlan& plan, const SweepAxis& axis, Diagnostics& problems) {
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    for (const Diagnostic& mistake : mistakes_of(plan.machine, {axis.key + "=" + axis.values[i]})) {
      // Values that do not go together (CFG-CROSS) may do so with those of another axis.
      if (mistake.code != "CFG-CROSS") add_at(axis.value_places.at(i), mistake, problems);
    }
  }
}

}  // namespace

void check_machine_of(const SweepPlan& plan, PlanValues values) {
  Diagnostics problems;
  const std::vector<Diagnostic> of_machine = mistakes_of(plan.machine, {});
  for (const Diagnostic& mistake : of_machine) {
    // Mistakes within a machine file have their own places.
    if (mistake.code == "CFG-PRESET" || mistake.code == "CFG-FILE") {
      add_at(plan.machine_place, mistake, problems);
    } else {
      problems.add(mistake);
    }
  }
  if (of_machine.empty()) {
    for (const SweepAxis& axis : plan.axes) {
      if (check_key(plan, axis, problems) && values == PlanValues::checked) check_values(plan, axis, problems);
    }
  }
  if (problems.has_errors()) throw InputError(ExitCode::configuration, problems.all());
}

void check_inputs_of(const SweepPlan& plan) {
  Diagnostics problems;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    const std::string why = unreadable(plan.inputs[i]);
    if (why.empty()) continue;
    Diagnostic mistake;
    mistake.code = "PLAN-INPUT";
    mistake.message = "cannot read '" + plan.inputs[i] + "': " + why;
    mistake.help = "inputs are named from the folder of the plan";
    add_at(plan.input_places.at(i), std::move(mistake), problems);
  }
  if (problems.has_errors()) throw InputError(ExitCode::configuration, problems.all());
}

}  // namespace teslasim
