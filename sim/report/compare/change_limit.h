// SPDX-License-Identifier: Apache-2.0
// `compare --fail-on`: conditions on the change from the first run to the others, for continuous integration.
#pragma once

#include <string>
#include <vector>

#include "sim/report/result/run_data.h"

namespace teslasim {

/// NAME ("<" | ">") ("+" | "-")NUMBER["%"], e.g. 'time_ms>+2%': fails when the change is beyond the bound.
struct ChangeLimit {
  std::string text;  ///< as given
  std::string name;
  bool above = true;  ///< fails when the change is above the bound
  double bound = 0.0;
  bool relative = false;
};

/// Throws InputError (usage, CLI-FAIL-ON).
[[nodiscard]] ChangeLimit parse_change_limit(const std::string& text);

struct CheckedLimit {
  ChangeLimit limit;
  bool failed = false;
  std::string actual;  ///< the worst change, or why there is none
};

/// Why the runs cannot be held against each other: one did not finish or has wrong outputs, or some ran a part of their
/// blocks and others all. Empty when they can.
[[nodiscard]] std::string obstacle_to_comparing(const std::vector<RunData>& runs);

/// A gate must not pass because of a slip or an accident: a run that did not finish or has wrong outputs fails, and so
/// does a name that a run does not have, or a sample of the blocks against a whole grid.
[[nodiscard]] CheckedLimit check_limit(const ChangeLimit& limit, const std::vector<RunData>& runs);
[[nodiscard]] std::string limit_report(const std::vector<CheckedLimit>& limits);

}  // namespace teslasim
