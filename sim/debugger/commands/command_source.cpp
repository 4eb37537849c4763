// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/commands/command_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "sim/base/diagnostic.h"
#include "sim/base/excerpt.h"
#include "sim/base/text_file.h"
#include "sim/debugger/commands/command.h"
#include "sim/run/console.h"

namespace teslasim {
namespace {

void echo(const std::string& text) {
  print_result(fmt::format("{}{}\n", debug_prompt, printable(text)));
}

}  // namespace

CommandFile::CommandFile(const std::string& path) {
  const TextFile file = read_text_file(path);
  if (!file.error.empty()) {
    Diagnostic diagnostic;
    diagnostic.code = "DEBUG-FILE";
    diagnostic.message = fmt::format("cannot read the commands in '{}': {}", path, file.error);
    throw InputError(ExitCode::input, std::move(diagnostic));
  }
  std::vector<Diagnostic> mistakes;
  std::uint32_t number = 0;
  for (const std::string& one : lines_of(file.text)) {
    CommandLine line{one, path, ++number};
    if (!has_command(line)) continue;
    try {
      (void)parse_command(line);
    } catch (const InputError& error) {
      mistakes.insert(mistakes.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
    lines_.push_back(std::move(line));
  }
  if (!mistakes.empty()) throw InputError(ExitCode::usage, std::move(mistakes));
}

std::optional<CommandLine> CommandFile::next() {
  if (next_ == lines_.size()) return std::nullopt;
  echo(lines_[next_].text);
  return lines_[next_++];
}

StandardInput::StandardInput() : on_terminal_(isatty(STDIN_FILENO) == 1 && results_on_terminal()) {}

std::optional<CommandLine> StandardInput::next() {
  if (on_terminal_) print_result(debug_prompt);
  CommandLine line{"", "standard input", ++line_};
  if (!std::getline(std::cin, line.text)) {
    if (on_terminal_) print_result("\n");
    return std::nullopt;
  }
  if (!line.text.empty() && line.text.back() == '\r') line.text.pop_back();
  if (!on_terminal_) echo(line.text);
  return line;
}

}  // namespace teslasim
