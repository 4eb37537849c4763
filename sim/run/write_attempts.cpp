// SPDX-License-Identifier: Apache-2.0
#include "sim/run/write_attempts.h"

#include <fmt/format.h>

#include <system_error>

namespace teslasim {

void WriteAttempts::attempt(const std::string& file, const std::function<void()>& write) {
  std::erase_if(missing_, [&file](const Missing& earlier) { return earlier.file == file; });
  try {
    write();
  } catch (const InputError& error) {
    if (error.exit_code() != ExitCode::environment) throw;
    note(file, error.diagnostics().empty() ? error.what() : error.diagnostics().front().message);
  } catch (const std::system_error& error) {
    note(file, error.what());
  }
}

void WriteAttempts::note(const std::string& file, const std::string& reason) {
  missing_.push_back({file, reason});
}

Diagnostic WriteAttempts::error() const {
  std::string names;
  Diagnostic diagnostic;
  for (const Missing& missing : missing_) {
    names += (names.empty() ? "" : ", ") + missing.file;
    diagnostic.notes.push_back(missing.reason);
  }
  diagnostic.code = "FILE-WRITE";
  diagnostic.message = fmt::format("{} could not be written: {}",
                                   missing_.size() == 1 ? "a file" : fmt::format("{} files", missing_.size()), names);
  diagnostic.help = "what is not named is whole; free some space, or write elsewhere with --out DIR";
  return diagnostic;
}

}  // namespace teslasim
