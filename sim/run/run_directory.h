// SPDX-License-Identifier: Apache-2.0
// The folder of one run, e.g. runs/001-reduce1-gtx280. Numbers count up and are never used twice; an existing folder is
// never written into. `latest` points to the newest run, index.csv has one line per run.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/run/folder_lock.h"

namespace teslasim {

class RunDirectory {
 public:
  /// Makes the next numbered folder below `runs`. Throws InputError (environment) when that is not possible.
  static RunDirectory create_numbered(const std::string& runs, const std::string& name, const std::string& machine);
  /// Makes exactly `path`, which must not exist or be an empty folder.
  static RunDirectory create_exactly(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  /// Appends a line to index.csv beside the folder; `header` is written first when the file is new. Nothing for folders
  /// that the user named.
  void append_to_index(std::string_view header, std::string_view line) const;
  [[nodiscard]] unsigned number() const { return number_; }

 private:
  RunDirectory(std::string runs, std::string path, unsigned number);
  std::string runs_;  ///< empty for a folder that the user named
  std::string path_;
  unsigned number_ = 0;
  std::shared_ptr<const FolderLock> lock_;  ///< until the run has ended: who looks sees that it goes on
};

/// Letters, digits, '.', '_' and '-' are kept, everything else becomes '_'.
[[nodiscard]] std::string file_name_from(std::string_view text);

/// What a run is called in tables: the name of its folder, also where `latest` led there.
[[nodiscard]] std::string run_label(const std::string& directory);

/// The folder that the user means by a number ("7"), a path, or "latest"; throws InputError (input) when there is none.
[[nodiscard]] std::string find_run(const std::string& runs, const std::string& word);
/// The same, also of a run that goes on or was cut off: for those who only look.
[[nodiscard]] std::string find_begun_run(const std::string& runs, const std::string& word);

}  // namespace teslasim
