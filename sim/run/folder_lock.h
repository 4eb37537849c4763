// SPDX-License-Identifier: Apache-2.0
// A folder that one process at a time works in. The lock ends with the object or the process, however that ends, and
// leaves no file behind.
#pragma once

#include <cstdint>
#include <string>

namespace teslasim {

class FolderLock {
 public:
  enum class Wait : std::uint8_t { no, yes };
  /// The folder must exist. File systems without locks count as unlocked.
  FolderLock(const std::string& folder, Wait wait);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// False when another process holds it.
  [[nodiscard]] bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_;
};

/// Whether a process of this host works in a folder. `unknown` where the file system has no locks.
enum class FolderUse : std::uint8_t { free, taken, unknown };
/// Looks without holding the lock.
[[nodiscard]] FolderUse folder_use(const std::string& folder);

}  // namespace teslasim
