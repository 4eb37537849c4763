// SPDX-License-Identifier: Apache-2.0
// A command of the program: one row of the table in commands.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

using Arguments = std::vector<std::string>;

struct Option;

struct Command {
  std::string_view name;
  std::string_view synopsis;  ///< after "teslasim ", e.g. "run INPUT..."
  std::string_view summary;   ///< one line
  int (*run)(const Arguments& arguments);
  std::vector<Option> (*options)();  ///< its own, without those of every command
};

/// All commands, in the order in which `--help` lists them.
[[nodiscard]] std::span<const Command> commands();

/// The command of that name; InputError (usage) with a suggestion when there is none.
[[nodiscard]] const Command& find_command(const std::string& name);

/// The whole program behind `main`: parses the command line, runs a command, turns every exception into a message and
/// an exit code.
[[nodiscard]] int run_program(const Arguments& arguments);

}  // namespace teslasim
