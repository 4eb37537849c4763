// SPDX-License-Identifier: Apache-2.0
// The commands of the debugger: one row each, from which they are found and explained.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace teslasim {

class CommandReader;

enum class CommandKind : std::uint8_t {
  breakpoint,
  watch,
  remove,
  info,
  run,
  step,
  finish,
  where,
  warps,
  registers,
  shared,
  global,
  stack,
  pipeline,
  list,
  sm,
  warp,
  help,
  quit,
};

struct CommandRow {
  CommandKind kind;
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;  ///< one line
  std::string_view more;     ///< further lines of `help NAME`; each ends in a newline
  char letter = 0;           ///< stands for the command alone, although others begin with it; 0: none
};

[[nodiscard]] std::span<const CommandRow> command_rows();
/// The command that the next word of the line names, in full or by a beginning that no other command has. Throws
/// InputError (usage).
[[nodiscard]] const CommandRow& take_command(CommandReader& reader);
/// All commands, one line each; or all that is known of one (null: the list).
[[nodiscard]] std::string command_help(const CommandRow* row);

}  // namespace teslasim
