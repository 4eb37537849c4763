// SPDX-License-Identifier: Apache-2.0
#include "sim/run/plans/plan_lock.h"

#include <filesystem>

#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"

namespace teslasim {
namespace {

[[noreturn]] void busy(const std::string& folder) {
  Diagnostic diagnostic;
  diagnostic.code = "PLAN-BUSY";
  diagnostic.message = "another teslasim works on '" + folder + "'";
  diagnostic.help = "wait until it has ended, or give this plan another name";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

}  // namespace

PlanLock::PlanLock(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) write_error(folder, error.message());
  lock_.emplace(folder, FolderLock::Wait::no);
  if (!lock_->held()) busy(folder);
}

}  // namespace teslasim
