// SPDX-License-Identifier: Apache-2.0
#include "sim/app/plan_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/app/atomic_file.h"
#include "sim/base/diagnostic.h"

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

PlanLock::PlanLock(const std::string& folder) : descriptor_(-1) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) write_error(folder, error.message());
  constexpr mode_t file_mode = 0666;
  const std::string file = folder + "/.lock";
  // Children that are started must not keep the lock of a parent that was killed.
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, file_mode);
  if (descriptor_ < 0) write_error(file, std::strerror(errno));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;  // no locks here: go on without
  close(descriptor_);
  busy(folder);
}

PlanLock::~PlanLock() {
  close(descriptor_);
}

}  // namespace teslasim
