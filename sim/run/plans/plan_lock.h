// SPDX-License-Identifier: Apache-2.0
// One process at a time works on the folder of a plan.
#pragma once

#include <optional>
#include <string>

#include "sim/run/folder_lock.h"

namespace teslasim {

/// Makes the folder and holds it until the end of this process, however that comes. Throws InputError (environment):
/// PLAN-BUSY when another process holds it, FILE-WRITE when there can be no such folder.
class PlanLock {
 public:
  explicit PlanLock(const std::string& folder);

 private:
  std::optional<FolderLock> lock_;
};

}  // namespace teslasim
