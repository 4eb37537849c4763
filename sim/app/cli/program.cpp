// SPDX-License-Identifier: Apache-2.0
// The one place where commands are chosen and where exceptions become messages and exit codes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>
#include <vector>

#include "sim/app/cli/command.h"
#include "sim/app/cli/command_line.h"
#include "sim/app/cli/console_options.h"
#include "sim/base/command_files.h"
#include "sim/base/diagnostic.h"
#include "sim/run/version.h"

namespace teslasim {
namespace {

std::string program_help() {
  std::string text = "teslasim: where every cycle of a G80 or GT200 GPU goes\n\nusage: teslasim COMMAND [OPTIONS]\n\n";
  for (const Command& command : commands()) text += fmt::format("  {:<11}{}\n", command.name, command.summary);
  return text +
         "\n  teslasim COMMAND --help   options of a command\n"
         "  teslasim explain WORD     what a statistic, reason, error code, config key or opcode means\n"
         "  teslasim --version        version and compiler\n"
         "\nFirst steps:\n  teslasim new hello && cd hello && teslasim run reduce1.asm -c gtx280\n";
}

int dispatch(const Arguments& arguments) {
  // First pass: what stands before the command. Options of the command are parsed by the command itself.
  Arguments leading;
  for (const std::string& argument : arguments) {
    if (!argument.starts_with('-')) break;
    leading.push_back(argument);
  }
  const ParsedOptions options = parse_options(leading, common_options(), "");
  if (options.has("version")) {
    print_result(version_line() + "\n");
    return 0;
  }
  if (options.has("help") || options.has("help-all")) {
    print_result(program_help());
    return 0;
  }
  if (leading.size() == arguments.size()) {
    print_notice(program_help());
    return static_cast<int>(ExitCode::usage);
  }
  const Command& command = find_command(arguments[leading.size()]);
  Arguments rest(leading);
  rest.insert(rest.end(), arguments.begin() + static_cast<std::ptrdiff_t>(leading.size()) + 1, arguments.end());
  return command.run(rest);
}

/// Colour of error messages before the options are known: as for any command without --color.
Paint error_paint(const Arguments& arguments) {
  Arguments colour;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--color=")) colour = {argument};
  }
  try {
    return console_options(parse_options(colour, common_options(), "")).errors;
  } catch (const InputError&) {
    return Paint::plain;
  }
}

/// Before the words of a program that is run.
bool is_quiet(const Arguments& arguments) {
  const auto own_end = std::find(arguments.begin(), arguments.end(), "--");
  return std::any_of(arguments.begin(), own_end, [](const auto& word) { return word == "-q" || word == "--quiet"; });
}

int report(const InputError& error, const Arguments& arguments) {
  std::vector<Diagnostic> told = error.diagnostics();
  const auto is_error = [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; };
  if (is_quiet(arguments)) std::erase_if(told, std::not_fn(is_error));
  print_diagnostics(told, error_paint(arguments));
  const auto errors = std::count_if(told.begin(), told.end(), is_error);
  const bool run = !arguments.empty() && arguments.front() == "run";
  if (errors > 1) print_notice(fmt::format("{} errors{}.\n", errors, run ? "; nothing was simulated" : ""));
  return static_cast<int>(error.exit_code());
}

int report_bug(const char* text) {
  print_notice(fmt::format(
      "error[INTERNAL]: {}\n   = note: {}\n   = help: this is a bug in teslasim, not in your input; please report it "
      "with the command line and the input files\n",
      text, version_line()));
  return static_cast<int>(ExitCode::internal);
}

}  // namespace

int run_program(const Arguments& arguments) {
  try {
    const CommandFiles files;
    return dispatch(arguments);
  } catch (const InputError& error) {
    return report(error, arguments);
  } catch (const std::bad_alloc&) {
    print_notice("error[HOST-MEMORY]: the host has no memory left\n   = help: use fewer or smaller buffers\n");
    return static_cast<int>(ExitCode::host_limit);
  } catch (const std::exception& error) {
    return report_bug(error.what());
  }
}

}  // namespace teslasim
