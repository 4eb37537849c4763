// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace teslasim {
namespace {

constexpr double percent_of_one = 100.0;
constexpr double least_change = 1e-9;  // percent; less is rounding

/// Of a value that was zero there is no percentage: a change of it counts in full.
double change_percent(double before, double after) {
  if (before != 0.0) return percent_of_one * (after - before) / std::fabs(before);
  return after == 0.0 ? 0.0 : std::copysign(percent_of_one, after);
}

void plan_key(const StudiedKey& key, std::vector<KeyMove>& moves) {
  for (const int steps : {1, -1}) {
    if (const auto value = stepped_value(key.info, key.value, steps)) moves.push_back({key, *value, steps});
  }
  for (const std::string& word : other_words(key.info, key.value)) moves.push_back({key, word});
}

/// The machines as shipped, then with each move that is not refused.
std::vector<MachineVariant> variants_of(const std::vector<KeyMove>& moves) {
  std::vector<MachineVariant> variants{{}};
  for (const KeyMove& move : moves) {
    if (move.refused.empty()) variants.push_back({sets_of(move.key, move.value)});
  }
  return variants;
}

}  // namespace

bool KeyMove::moves_any() const {
  return std::any_of(families.begin(), families.end(),
                     [](const FamilyMove& family) { return family.moved + family.lost != 0; });
}

MachineSets sets_of(const StudiedKey& key, const std::string& value) {
  MachineSets sets;
  for (const std::string& machine : key.machines) sets[machine] = {key.key + "=" + value};
  return sets;
}

FamilyMove family_move(const std::vector<PublishedRow>& rows, const std::string& family, const RowNumbers& before,
                       const RowNumbers& after) {
  FamilyMove move;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (family_of(rows[i]) != family || !before[i]) continue;
    if (!after[i]) {
      ++move.lost;
      continue;
    }
    const double change = change_percent(*before[i], *after[i]);
    ++move.rows;
    if (std::fabs(change) > least_change) ++move.moved;
    move.mean_change += change;
    move.largest_change = std::max(move.largest_change, std::fabs(change));
    move.error_before += absolute_error(rows[i], before[i]).value_or(0.0);
    move.error_after += absolute_error(rows[i], after[i]).value_or(0.0);
  }
  if (move.rows == 0) return move;
  const auto count = static_cast<double>(move.rows);
  move.mean_change /= count;
  move.error_before /= count;
  move.error_after /= count;
  return move;
}

SensitivityResult planned_moves(const std::vector<PublishedRow>& rows, const std::vector<StudiedKey>& keys) {
  SensitivityResult plan;
  plan.families = families_of(rows);
  plan.rows = rows.size();
  for (const StudiedKey& key : keys) {
    if (key.skipped.empty()) {
      plan_key(key, plan.moves);
    } else {
      plan.skipped.push_back(key);
    }
  }
  for (KeyMove& move : plan.moves) move.refused = refusal_of(sets_of(move.key, move.value)).value_or("");
  plan.runs = count_runs(rows, variants_of(plan.moves));
  return plan;
}

SensitivityResult sensitivity(const std::vector<PublishedRow>& rows, const std::vector<StudiedKey>& keys,
                              const WorkerOptions& workers) {
  SensitivityResult result = planned_moves(rows, keys);
  const std::vector<MachineVariant> variants = variants_of(result.moves);
  const RowRuns runs = run_variants(rows, variants, workers);
  result.runs = runs.runs;
  std::size_t variant = 1;
  for (KeyMove& move : result.moves) {
    if (!move.refused.empty()) continue;
    const RowNumbers& after = runs.numbers.at(variant++);
    for (const std::string& family : result.families)
      move.families.push_back(family_move(rows, family, runs.numbers.front(), after));
  }
  return result;
}

}  // namespace teslasim
