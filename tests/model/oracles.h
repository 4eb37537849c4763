// SPDX-License-Identifier: Apache-2.0
// Published and derived results of the analytical models (oracles.csv), as rows for tests.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/input_set.h"

namespace teslasim {

struct Oracle {
  std::string name, model, term;
  std::string recomputed, published;  ///< as text; published may be empty
  std::string status;                 ///< EXACT, CLOSE, DERIVED, MISMATCH
  std::string unit, source;
  std::vector<std::pair<std::string, std::string>> inputs;
};

void PrintTo(const Oracle& oracle, std::ostream* stream);

[[nodiscard]] std::vector<Oracle> read_oracles();
/// The rows of a file of comma-separated values below tests/model, without its heading.
[[nodiscard]] std::vector<std::vector<std::string>> read_table(const std::string& file);
[[nodiscard]] InputSet input_set(const Oracle& oracle);
/// Half a unit of the last printed digit: "2.28" gives 0.005, "50738" gives 0.5.
[[nodiscard]] double printed_precision(const std::string& number);

}  // namespace teslasim
