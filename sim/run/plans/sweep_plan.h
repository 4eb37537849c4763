// SPDX-License-Identifier: Apache-2.0
// What to run in a sweep (`teslasim.sweep/1`): inputs, values of configuration keys, how they combine, what to leave
// out.
//
//   schema = "teslasim.sweep/1"
//   name = "banks"                              # letters, digits, '.', '_', '-'; the folder is sweep-NAME
//   machine = "gtx280"
//   inputs = ["reduce1.asm", "reduce2.asm"]     # relative to the plan
//   mode = "grid"                               # grid | zip | list (then points) | random (then n and seed)
//   max_points = 200000                         # a plan of more points is refused
//   keep = ["stats.json"]                       # files that each point keeps; all when left out
//   columns = ["time_ms", "shared.replays"]     # of table.csv, after the axes
//   points = ["sm.shared.banks=8 sm.registers=4096"]   # of mode list, in the place of [axes]
//   max_cycles = 1000000                        # of each point, like run's --max-cycles; also max_seconds
//   [axes]
//   "sm.shared.banks" = [8, 16, 32]
//   [rules]
//   skip_if = "sm.shared.banks == 8 && sm.scheduler == 'oldest'"
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"

namespace teslasim {

/// Points of a plan that says nothing else, and what it may say.
inline constexpr std::uint64_t usual_max_points = 100'000, largest_max_points = 1'000'000;

/// A place of the plan, for messages.
struct PlanPlace {
  SourceLocation where{};
  std::string line{};
};

struct SweepAxis {
  std::string key;
  std::vector<std::string> values;  ///< as after --set KEY=
  PlanPlace place{};                ///< of the key; of the points in mode list
  std::vector<PlanPlace> value_places{};
};

/// One run of a sweep.
struct SweepPoint {
  std::size_t number = 0;  ///< from 1, in the order of the plan, the skipped ones counted too
  std::string input;       ///< a path that can be opened
  std::vector<std::pair<std::string, std::string>> settings;  ///< key, value
};

struct SweepPlan {
  std::string name, machine = "gtx280";
  std::vector<std::string> inputs;
  std::vector<PlanPlace> input_places{};
  std::uint64_t max_points = usual_max_points;
  std::string mode = "grid";
  std::uint64_t n = 0, seed = 1;  ///< random: points per input, and where the sequence starts
  std::vector<std::string> keep;
  std::vector<std::string> columns;                                        ///< names of statistics
  std::vector<SweepAxis> axes;                                             ///< of mode list: the keys, without values
  std::vector<std::vector<std::pair<std::string, std::string>>> points{};  ///< of mode list
  std::string skip_if;
  SpCycle max_cycles = never;   ///< of each point
  double max_seconds = 0.0;     ///< of each point; 0 = no limit
  bool limit_is_error = false;  ///< a point that max_seconds stopped has failed
  PlanPlace machine_place{};    ///< of the value of `machine`; empty when the plan does not name one
};

struct RunLimits;
/// Options of the command line win over what the plan says.
[[nodiscard]] SweepPlan with_limits(SweepPlan plan, const RunLimits& limits);

/// "point 7  reduce1.asm sm.shared.banks=8".
[[nodiscard]] std::string describe(const SweepPoint& point);

/// A plan of `dse` has another schema and tables of its own (dse_plan.h), which are skipped here; it may lack inputs
/// and axes.
enum class PlanKind : std::uint8_t { sweep, dse };
/// Reads and checks a plan without looking at any other file; `place` is its path. Throws InputError
/// (ExitCode::configuration) with all mistakes: PLAN-SCHEMA, PLAN-UNKNOWN, PLAN-VALUE, PLAN-SIZE.
[[nodiscard]] SweepPlan read_sweep_plan(const std::string& place, const std::string& text,
                                        PlanKind kind = PlanKind::sweep);

/// Whether values that the machine cannot have are mistakes of the plan, or fail at their points, which say why.
enum class PlanValues : std::uint8_t { left_to_points, checked };
/// A machine that cannot be loaded and axes that are no keys of it would fail at every point, so they are mistakes of
/// the plan. Throws InputError (ExitCode::configuration) with all of them (CFG-*), at their places in the plan.
void check_machine_of(const SweepPlan& plan, PlanValues values);

/// Inputs that cannot be read would fail at every point, too. Throws InputError (ExitCode::configuration) with all of
/// them (PLAN-INPUT), at their places.
void check_inputs_of(const SweepPlan& plan);

/// Points of the plan, those counted that `skip_if` leaves out; the largest number when they are more.
[[nodiscard]] std::uint64_t plan_size(const SweepPlan& plan);

/// All points without those that `skip_if` names.
[[nodiscard]] std::vector<SweepPoint> sweep_points(const SweepPlan& plan);

/// Conditions of `skip_if`: comparisons `KEY == VALUE` (also != < <= > >=) joined by && and ||, && first. A key that is
/// not an axis, or a broken text, throws InputError (PLAN-VALUE).
[[nodiscard]] bool skips(const std::string& condition,
                         const std::vector<std::pair<std::string, std::string>>& settings);

}  // namespace teslasim
