// SPDX-License-Identifier: Apache-2.0
// Other programs as functions: run one to its end and look at what it wrote.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// A file without a name that other programs find by `path()`; gone with the object and with the process.
class NamelessFile {
 public:
  /// Throws InputError (environment, ENV-SPAWN) when the system gives none.
  NamelessFile();
  explicit NamelessFile(std::string_view contents);
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string path() const;  ///< for child processes
  [[nodiscard]] std::string contents() const;

 private:
  int descriptor_ = -1;
};

struct ChildProgramEnd {
  int status = 0;  ///< exit code, or 128 + signal
  std::string output, errors;
};

/// The file of a program by the rules of the shell (PATH); nothing when there is none.
[[nodiscard]] std::optional<std::string> find_program(std::string_view name);

/// Runs `command` (its first word is a path) with `input` and waits. Throws InputError (environment, ENV-SPAWN) when it
/// cannot be started.
[[nodiscard]] ChildProgramEnd run_child_program(const std::vector<std::string>& command, std::string_view input = "");

}  // namespace teslasim
