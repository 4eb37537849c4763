// SPDX-License-Identifier: Apache-2.0
#include "sim/run/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace teslasim {

FolderLock::FolderLock(const std::string& folder, Wait wait)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), held_(true) {
  if (descriptor_ < 0) return;
  const int result = flock(descriptor_, wait == Wait::yes ? LOCK_EX : LOCK_EX | LOCK_NB);
  held_ = result == 0 || errno != EWOULDBLOCK;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

FolderUse folder_use(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return FolderUse::unknown;
  // Shared, so that two who look do not take each other for the one who works there.
  const bool locked = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  const int reason = errno;
  close(descriptor);
  if (locked) return FolderUse::free;
  return reason == EWOULDBLOCK ? FolderUse::taken : FolderUse::unknown;
}

}  // namespace teslasim
