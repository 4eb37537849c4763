// SPDX-License-Identifier: Apache-2.0
#include "sim/base/command_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"

namespace teslasim {
namespace {

CommandFiles* current = nullptr;

[[noreturn]] void refuse(std::string code, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.help = "name another file";
  throw InputError(ExitCode::usage, std::move(diagnostic));
}

[[noreturn]] void is_input(const std::string& output, const std::string& input) {
  const std::string alias = output == input ? "" : " (as '" + input + "')";
  refuse("OUT-IS-INPUT", "'" + output + "' would be written over, but this command reads it" + alias);
}

}  // namespace

CommandFiles::CommandFiles() {
  current = this;
}

CommandFiles::~CommandFiles() {
  current = nullptr;
}

void note_input(const std::string& path) {
  if (current == nullptr) return;
  const OutputPlace place = look_up_output(path);
  if (place.kind != OutputPlace::Kind::regular) return;
  for (const CommandFiles::Named& output : current->outputs_) {
    if (output.place.same_file(place)) is_input(output.path, path);
  }
  for (const CommandFiles::Named& input : current->inputs_) {
    if (input.place.same_file(place)) return;
  }
  current->inputs_.push_back({path, place});
}

namespace {

/// What is printed and a file that is replaced cannot both be there afterwards.
void refuse_printed(const std::string& path, const OutputPlace& place) {
  if (place.kind != OutputPlace::Kind::regular) return;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat info {};
    if (fstat(stream, &info) != 0 || info.st_dev != place.device || info.st_ino != place.inode) continue;
    refuse("OUT-TWICE", "'" + path + "' is also where " + (stream == STDOUT_FILENO ? "stdout" : "stderr") + " goes");
  }
}

}  // namespace

void claim_output(const std::string& path) {
  const OutputPlace place = look_up_output(path);
  refuse_input(path, place);
  if (!place.trouble.empty()) write_error(path, place.trouble);
  refuse_printed(path, place);
  if (current == nullptr) return;
  for (const CommandFiles::Named& output : current->outputs_) {
    if (output.place.same_file(place)) {
      const std::string alias = output.path == path ? "" : " (as '" + output.path + "')";
      refuse("OUT-TWICE", "'" + path + "' is named for two outputs" + alias);
    }
  }
  current->outputs_.push_back({path, place});
}

void refuse_input(const std::string& path, const OutputPlace& place) {
  if (current == nullptr) return;
  for (const CommandFiles::Named& input : current->inputs_) {
    if (input.place.same_file(place)) is_input(path, input.path);
  }
}

}  // namespace teslasim
