// SPDX-License-Identifier: Apache-2.0
// The headers of CUDA C are part of the program; clang reads them from files.
#pragma once

#include <string>

namespace teslasim::cuda {

/// A folder with the headers: kept in the cache, once for each version of them, else made for this object and removed
/// with it.
class HeaderFolder {
 public:
  /// Throws InputError (environment, FILE-WRITE) when there is no place for them.
  HeaderFolder();
  ~HeaderFolder();
  HeaderFolder(const HeaderFolder&) = delete;
  HeaderFolder& operator=(const HeaderFolder&) = delete;

  /// Where all of them are.
  [[nodiscard]] std::string folder() const { return folder_ + "/frontend/cuda/"; }
  /// What follows -I.
  [[nodiscard]] std::string include_folder() const { return folder() + "include"; }

 private:
  std::string folder_;
  bool temporary_ = false;
};

/// Fingerprint of all headers.
[[nodiscard]] std::string headers_fingerprint();

}  // namespace teslasim::cuda
