// SPDX-License-Identifier: Apache-2.0
// Writing many files of which some may fail: one that cannot be written neither hides the others nor the summary.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {

class WriteAttempts {
 public:
  struct Missing {
    std::string file;
    std::string reason;
  };

  /// Runs `write`. A file that it cannot write (an error of the environment) is noted under the name `file`; one that
  /// it can is not missing any more.
  void attempt(const std::string& file, const std::function<void()>& write);
  /// Notes a file that somebody else could not write.
  void note(const std::string& file, const std::string& reason);

  [[nodiscard]] const std::vector<Missing>& missing() const { return missing_; }
  /// One error (FILE-WRITE) that names them all with their reasons; there is at least one.
  [[nodiscard]] Diagnostic error() const;

 private:
  std::vector<Missing> missing_;
};

}  // namespace teslasim
