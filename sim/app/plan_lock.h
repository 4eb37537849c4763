// SPDX-License-Identifier: Apache-2.0
// One process at a time works on the folder of a plan.
#pragma once

#include <string>

namespace teslasim {

/// Makes the folder and holds it until the end of this process, however that comes: the lock is the kernel's, the file
/// `.lock` only carries it. Throws InputError (environment): PLAN-BUSY when another process holds it, FILE-WRITE when
/// there can be no such folder.
class PlanLock {
 public:
  explicit PlanLock(const std::string& folder);
  ~PlanLock();
  PlanLock(const PlanLock&) = delete;
  PlanLock& operator=(const PlanLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace teslasim
