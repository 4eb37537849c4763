// SPDX-License-Identifier: Apache-2.0
// The one way in which files are written. An output is complete or it is not there:
//   a regular file   is written beside its place and put there by a rename, with the rights of the file that it
//   replaces anything else    (device, FIFO, /dev/stdout) is written to where it is, and never replaced behind a link
//   is the file that the link leads to; the link stays
// A file that a killed writer shall leave behind is made where it stands (OutputMode::grow): it must not exist, so two
// writers cannot meet in it. Writing over a file that the running command has read is refused
// (sim/base/command_files.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/output_place.h"

namespace teslasim {

/// Throws InputError (environment, FILE-WRITE) with the reason. `reason` is the system's text.
[[noreturn]] void write_error(const std::string& path, const std::string& reason);

/// Throws InputError (environment, OUT-EXISTS) for a regular file that is there: for what will be written without
/// replacing anything, when that would be found out late.
void refuse_existing_file(const std::string& path);

enum class OutputMode : std::uint8_t {
  replace,  ///< appears when it is complete
  grow      ///< a new file that can be read while it is written
};

class OutputFile {
 public:
  /// Throws InputError (environment): FILE-WRITE, OUT-EXISTS for a file that grows and is there; (usage): OUT-IS-INPUT.
  explicit OutputFile(const std::string& path, OutputMode mode = OutputMode::replace);
  /// Takes back what was not finished; a file that grows is left as it is.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws InputError (FILE-WRITE): a full disk, a reader that went away.
  void write(std::string_view bytes);
  /// Puts the file in its place. Throws InputError (FILE-WRITE); what was there before is then still there.
  void finish();

 private:
  void open_beside();
  void open_new();
  void open_stream();
  [[noreturn]] void fail();

  std::string path_;
  OutputPlace place_;
  std::string temporary_;  ///< empty when the file is written in its place
  int descriptor_ = -1;
};

/// Writes a whole file. SIGINT and SIGTERM wait until it is in its place.
void write_file(const std::string& path, std::string_view content);

}  // namespace teslasim
