// SPDX-License-Identifier: Apache-2.0
// Each family of published rows predicted with itself left out of the calibration.
//
// The calibrated keys are chosen anew, each on its own from a few values around the shipped one: the value with the
// least mean error over the rows of all families but one. A row's error counts in its tolerances, at most two: one that
// is further off misses for a reason of structure, which no value of a key mends, and would outvote rows that it does
// (a truncated absolute loss). All choices are then set at once, and the family that was left out is measured; beside
// it stands the same with the family taking part. Keys are varied one at a time from the shipped machines, so what two
// keys do together is not looked for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/validation/key_study.h"
#include "sim/validation/row_runs.h"

namespace teslasim {

/// A calibrated key and the values it may take: the shipped one first, then the nearest ones first.
struct CandidateKey {
  StudiedKey key;
  std::vector<std::string> values;
};

/// The values one and two steps up and down (`stepped_value`), or every word; without those that a machine refuses.
[[nodiscard]] CandidateKey candidates_of(const StudiedKey& key);

/// Absolute errors of one candidate in the order of the rows; nothing for a row that is never measured.
using RowErrors = std::vector<std::optional<double>>;

/// Which candidate is best for a set of families.
struct CandidateChoice {
  std::size_t best = 0;
  bool told = false;  ///< whether any row of the families tells the candidates apart; if not, `best` is the shipped one
};

/// The candidate with the least mean error over the rows that are not of the family `left_out` (none is when empty); of
/// equal ones the first. `families` names the family of each row.
[[nodiscard]] CandidateChoice choose_candidate(const std::vector<RowErrors>& candidates,
                                               const std::vector<std::string>& families, std::string_view left_out);

/// The families with a row that tells candidates apart, each once, in the order of the rows.
[[nodiscard]] std::vector<std::string> families_that_tell(const std::vector<RowErrors>& candidates,
                                                          const std::vector<std::string>& families);

/// A key whose choice depends on the family, or that nothing else tells.
struct LeftOutKey {
  std::string name;
  std::string used;      ///< value chosen with the family
  std::string left_out;  ///< and without
};

struct LeftOutFamily {
  std::string name;
  std::size_t rows = 0;
  double shipped = 0.0, used = 0.0, left_out = 0.0;  ///< mean absolute errors, percent
  std::vector<LeftOutKey> changed{};                 ///< keys with another value when it is left out
  std::vector<std::string> told_by_it_alone{};       ///< keys that no other family tells: they stay as shipped
};

struct ChosenKey {
  CandidateKey candidates;
  std::string used;                    ///< chosen with all families
  std::vector<std::string> told_by{};  ///< families with a row that tells its values apart
  [[nodiscard]] bool told() const { return !told_by.empty(); }
};

struct LeftOutResult {
  std::vector<ChosenKey> keys;
  std::vector<StudiedKey> skipped;
  std::vector<LeftOutFamily> families;
  std::size_t rows = 0;
  std::size_t runs = 0;
};

/// The calibrated ones of `keys`.
[[nodiscard]] std::vector<StudiedKey> calibrated_keys(const std::vector<StudiedKey>& keys);

/// What `left_out` would try, without what comes out.
[[nodiscard]] LeftOutResult planned_left_out(const std::vector<PublishedRow>& rows,
                                             const std::vector<StudiedKey>& keys);
[[nodiscard]] LeftOutResult left_out(const std::vector<PublishedRow>& rows, const std::vector<StudiedKey>& keys,
                                     const WorkerOptions& workers);

[[nodiscard]] std::string left_out_text(const LeftOutResult& result);
[[nodiscard]] std::string left_out_json(const LeftOutResult& result);
/// A page: the table of families, and the keys. `scope` as in `sensitivity_markdown`.
[[nodiscard]] std::string left_out_markdown(const LeftOutResult& result, const std::string& scope);

}  // namespace teslasim
