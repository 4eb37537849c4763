// SPDX-License-Identifier: Apache-2.0
// A folder for files between two programs.
#pragma once

#include <string>
#include <string_view>

namespace teslasim {

/// Among the temporary files of the host, with a name of its own; goes with the object, and so does what lies in it.
class TemporaryFolder {
 public:
  /// `purpose` is part of the name: "teslasim-PURPOSE-XXXXXX". Throws InputError (environment).
  explicit TemporaryFolder(std::string_view purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace teslasim
