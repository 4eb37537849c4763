// SPDX-License-Identifier: Apache-2.0
// The labs for courses (docs/labs) as part of the program, for `new --lab`.
#pragma once

#include <string>
#include <vector>

namespace teslasim {

struct Lab {
  std::string number, title, folder;  ///< "4", "bank conflicts", "docs/labs/4-bank-conflicts/"
};
enum class LabReader : bool { student, teacher };

/// In the order of their numbers.
[[nodiscard]] std::vector<Lab> labs();
/// Writes the lab's files into `folder`; for teachers the answers, too, into `folder`/teacher.
void copy_lab(const Lab& lab, const std::string& folder, LabReader reader);

}  // namespace teslasim
