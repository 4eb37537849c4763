// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/left_out.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/validation/sensitivity.h"

namespace teslasim {
namespace {

constexpr double least_gain = 1e-9;      // less is rounding
constexpr double error_of_lost = 100.0;  // percent: of a row that a value leaves without a number
constexpr double most_tolerances = 2.0;  // a row that is further off misses for another reason than the key's value

/// One choice for each key, as values.
using ChosenValues = std::vector<std::string>;

struct Choices {
  ChosenValues values;
  std::vector<CandidateChoice> choices;
};

/// Errors of one variant; only rows that have a number as shipped take part.
RowErrors errors_of(const std::vector<PublishedRow>& rows, const RowNumbers& shipped, const RowNumbers& numbers) {
  RowErrors errors(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (shipped[i]) errors[i] = absolute_error(rows[i], numbers[i]).value_or(error_of_lost);
  }
  return errors;
}

/// What each row says against a variant: its error in tolerances, bounded, so that rows that no value mends cannot
/// outvote those that it can.
RowErrors votes_of(const std::vector<PublishedRow>& rows, const RowNumbers& shipped, const RowNumbers& numbers) {
  RowErrors votes(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!shipped[i]) continue;
    votes[i] = std::min(error_in_tolerances(rows[i], numbers[i]).value_or(most_tolerances), most_tolerances);
  }
  return votes;
}

double mean_error(const RowErrors& errors, const std::vector<std::size_t>& rows) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const std::size_t i : rows) {
    if (!errors[i]) continue;
    sum += *errors[i];
    ++count;
  }
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

/// Whether a row tells candidates of a key apart.
bool tells(const std::vector<RowErrors>& candidates, std::size_t row) {
  return std::any_of(candidates.begin(), candidates.end(), [&](const RowErrors& errors) {
    return std::fabs(errors[row].value_or(0.0) - candidates.front()[row].value_or(0.0)) > least_gain;
  });
}

std::vector<std::size_t> rows_of_family(const std::vector<PublishedRow>& rows, const std::string& family) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (family_of(rows[i]) == family) found.push_back(i);
  }
  return found;
}

void add_sets(MachineSets& all, const MachineSets& more) {
  for (const auto& [machine, texts] : more) all[machine].insert(all[machine].end(), texts.begin(), texts.end());
}

/// All chosen values at once. Values that were chosen one at a time need not go together: then those before in the
/// manual win, and `values` has the shipped one for a key that gave way.
MachineSets combined_sets(const std::vector<ChosenKey>& keys, ChosenValues& values) {
  MachineSets all;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const CandidateKey& candidates = keys[k].candidates;
    if (values[k] == candidates.values.front()) continue;
    MachineSets more = all;
    add_sets(more, sets_of(candidates.key, values[k]));
    if (refusal_of(more)) {
      values[k] = candidates.values.front();
    } else {
      all = std::move(more);
    }
  }
  return all;
}

/// The machines as shipped, then each other value of each key.
std::vector<MachineVariant> candidate_variants(const std::vector<ChosenKey>& keys) {
  std::vector<MachineVariant> variants{{}};
  for (const ChosenKey& key : keys) {
    for (std::size_t i = 1; i < key.candidates.values.size(); ++i)
      variants.push_back({sets_of(key.candidates.key, key.candidates.values[i])});
  }
  return variants;
}

/// Runs the candidates once and chooses from them for any set of families.
class Calibration {
 public:
  Calibration(const std::vector<PublishedRow>& rows, const std::vector<ChosenKey>& keys, const WorkerOptions& workers)
      : rows_(rows), keys_(keys) {
    const RowRuns runs = run_variants(rows, candidate_variants(keys), workers);
    shipped_ = runs.numbers.front();
    runs_ = runs.runs;
    for (const PublishedRow& row : rows) families_.push_back(family_of(row));
    std::size_t next = 1;
    for (const ChosenKey& key : keys) {
      std::vector<RowErrors>& votes = votes_.emplace_back();
      votes.push_back(votes_of(rows_, shipped_, shipped_));
      for (std::size_t i = 1; i < key.candidates.values.size(); ++i)
        votes.push_back(votes_of(rows_, shipped_, runs.numbers.at(next++)));
    }
  }

  [[nodiscard]] Choices choose(std::string_view left_out) const {
    Choices chosen;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      chosen.choices.push_back(choose_candidate(votes_[k], families_, left_out));
      chosen.values.push_back(keys_[k].candidates.values.at(chosen.choices.back().best));
    }
    return chosen;
  }

  [[nodiscard]] std::vector<std::string> told_by(std::size_t key) const {
    return families_that_tell(votes_[key], families_);
  }
  [[nodiscard]] const RowNumbers& shipped() const { return shipped_; }
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  const std::vector<PublishedRow>& rows_;
  const std::vector<ChosenKey>& keys_;
  std::vector<std::string> families_;
  RowNumbers shipped_;
  std::vector<std::vector<RowErrors>> votes_;  ///< by key and candidate
  std::size_t runs_ = 0;
};

/// What the family changes in the choices.
void note_choices(LeftOutFamily& family, const std::vector<ChosenKey>& keys, const ChosenValues& used,
                  const Choices& without) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::string name = keys[k].candidates.key.name();
    if (used[k] != without.values[k]) family.changed.push_back({name, used[k], without.values[k]});
    if (keys[k].told() && !without.choices[k].told) family.told_by_it_alone.push_back(name);
  }
}

}  // namespace

CandidateKey candidates_of(const StudiedKey& key) {
  CandidateKey candidates{key, {key.value}};
  std::vector<std::string> others = other_words(key.info, key.value);
  for (const int steps : {1, -1, 2, -2}) {
    if (const auto value = stepped_value(key.info, key.value, steps)) others.push_back(*value);
  }
  for (const std::string& value : others) {
    const bool new_one =
        std::find(candidates.values.begin(), candidates.values.end(), value) == candidates.values.end();
    if (new_one && !refusal_of(sets_of(key, value))) candidates.values.push_back(value);
  }
  return candidates;
}

CandidateChoice choose_candidate(const std::vector<RowErrors>& candidates, const std::vector<std::string>& families,
                                 std::string_view left_out) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (left_out.empty() || families[i] != left_out) rows.push_back(i);
  }
  CandidateChoice choice;
  choice.told = std::any_of(rows.begin(), rows.end(), [&](std::size_t row) { return tells(candidates, row); });
  double least = mean_error(candidates.front(), rows);
  for (std::size_t c = 1; c < candidates.size(); ++c) {
    const double mean = mean_error(candidates[c], rows);
    if (mean > least - least_gain) continue;
    least = mean;
    choice.best = c;
  }
  return choice;
}

std::vector<std::string> families_that_tell(const std::vector<RowErrors>& candidates,
                                            const std::vector<std::string>& families) {
  std::vector<std::string> telling;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const bool known = std::find(telling.begin(), telling.end(), families[i]) != telling.end();
    if (!known && tells(candidates, i)) telling.push_back(families[i]);
  }
  return telling;
}

std::vector<StudiedKey> calibrated_keys(const std::vector<StudiedKey>& keys) {
  std::vector<StudiedKey> calibrated;
  for (const StudiedKey& key : keys) {
    if (key.ground == KeyGround::calibrated) calibrated.push_back(key);
  }
  return calibrated;
}

LeftOutResult planned_left_out(const std::vector<PublishedRow>& rows, const std::vector<StudiedKey>& keys) {
  LeftOutResult plan;
  plan.rows = rows.size();
  for (const StudiedKey& key : keys) {
    if (key.skipped.empty()) {
      plan.keys.push_back({candidates_of(key), key.value});
    } else {
      plan.skipped.push_back(key);
    }
  }
  plan.runs = count_runs(rows, candidate_variants(plan.keys));
  return plan;
}

LeftOutResult left_out(const std::vector<PublishedRow>& rows, const std::vector<StudiedKey>& keys,
                       const WorkerOptions& workers) {
  LeftOutResult result = planned_left_out(rows, keys);
  const Calibration calibration(rows, result.keys, workers);
  Choices used = calibration.choose("");
  std::vector<MachineVariant> variants{{combined_sets(result.keys, used.values)}};
  for (std::size_t k = 0; k < result.keys.size(); ++k) {
    result.keys[k].used = used.values[k];
    result.keys[k].told_by = calibration.told_by(k);
  }
  for (const std::string& name : families_of(rows)) {
    Choices without = calibration.choose(name);
    const std::vector<std::size_t> own = rows_of_family(rows, name);
    variants.push_back({combined_sets(result.keys, without.values), own});
    LeftOutFamily& family = result.families.emplace_back();
    family.name = name;
    family.rows = own.size();
    note_choices(family, result.keys, used.values, without);
  }
  const RowRuns runs = run_variants(rows, variants, workers);
  result.runs = calibration.runs() + runs.runs;
  const RowNumbers& shipped = calibration.shipped();
  for (std::size_t f = 0; f < result.families.size(); ++f) {
    const std::vector<std::size_t>& own = variants[f + 1].rows;
    result.families[f].shipped = mean_error(errors_of(rows, shipped, shipped), own);
    result.families[f].used = mean_error(errors_of(rows, shipped, runs.numbers.front()), own);
    result.families[f].left_out = mean_error(errors_of(rows, shipped, runs.numbers[f + 1]), own);
  }
  return result;
}

}  // namespace teslasim
