// SPDX-License-Identifier: Apache-2.0
// How far each family of published rows moves when a value that no source gives moves by a tenth.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/validation/key_study.h"
#include "sim/validation/row_runs.h"

namespace teslasim {

/// One family with one value changed. Its errors are means over the rows that have a number with and
/// without the change; rows on machines that do not have the key count as they are.
struct FamilyMove {
  std::size_t rows = 0;
  std::size_t moved = 0;                         ///< rows whose simulated value is another
  std::size_t lost = 0;                          ///< rows that have a number without the change only
  double error_before = 0.0, error_after = 0.0;  ///< mean absolute error, percent
  double mean_change = 0.0;                      ///< of the simulated values, percent, with its sign
  double largest_change = 0.0;                   ///< of one value, percent, without sign
  [[nodiscard]] double error_change() const { return error_after - error_before; }
};

/// A key at another value.
struct KeyMove {
  StudiedKey key;
  std::string value;
  int steps = 0;                       ///< of 10 %; 0: another word
  std::string refused{};               ///< why no machine takes it
  std::vector<FamilyMove> families{};  ///< in the order of SensitivityResult::families; empty when refused
  [[nodiscard]] bool moves_any() const;
};

struct SensitivityResult {
  std::vector<std::string> families;
  std::vector<KeyMove> moves;
  std::vector<StudiedKey> skipped;
  std::size_t rows = 0;  ///< of all families
  std::size_t runs = 0;  ///< measurements made
};

/// What `sensitivity` would try, without what comes out.
[[nodiscard]] SensitivityResult planned_moves(const std::vector<PublishedRow>& rows,
                                              const std::vector<StudiedKey>& keys);

[[nodiscard]] SensitivityResult sensitivity(const std::vector<PublishedRow>& rows, const std::vector<StudiedKey>& keys,
                                            const WorkerOptions& workers);

/// One family of `rows` before and after.
[[nodiscard]] FamilyMove family_move(const std::vector<PublishedRow>& rows, const std::string& family,
                                     const RowNumbers& before, const RowNumbers& after);

/// "key=value" on each machine that has the key.
[[nodiscard]] MachineSets sets_of(const StudiedKey& key, const std::string& value);

[[nodiscard]] std::string sensitivity_text(const SensitivityResult& result);
[[nodiscard]] std::string sensitivity_json(const SensitivityResult& result);
/// A page: a table of keys and families. `scope` names the options that chose rows and keys, empty for all.
[[nodiscard]] std::string sensitivity_markdown(const SensitivityResult& result, const std::string& scope);

}  // namespace teslasim
