// SPDX-License-Identifier: Apache-2.0
// A command of the debugger as parsed: what it asks for, checked as far as a line alone can tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/debugger/commands/command_line.h"
#include "sim/debugger/commands/command_table.h"

namespace teslasim {

/// A warp as the user names it: by its slot in the SM, or by its number in a block.
struct WarpName {
  std::optional<std::uint64_t> block;
  std::uint32_t number = 0;
};

/// A place in the code; of these, one. A word alone is a label, or else the name of a kernel.
struct DebugPlace {
  enum class Kind : std::uint8_t { none, pc, line, label, kernel, everything };
  Kind kind = Kind::none;
  std::uint32_t number = 0;  ///< pc or line
  std::string label;         ///< or the name of a kernel
};

/// What a warp at a breakpoint must be like.
struct StopCondition {
  enum class Subject : std::uint8_t { mask, warp, block, sm };
  Subject subject = Subject::mask;
  bool equal = true;        ///< false: "!="
  bool full = false;        ///< mask: of all lanes that the warp was launched with
  std::uint64_t value = 0;  ///< otherwise
};

/// "stall mem>50%"
struct StallLimit {
  std::string state;  ///< a name of ours, or the first word of several
  unsigned percent = 0;
};

/// Whether `name` is the state that a limit names, or one of those that begin with its word.
[[nodiscard]] bool is_state_of(std::string_view wanted, std::string_view name);

/// A word of memory: ADDRESS, NAME or NAME+OFFSET.
struct WatchedPlace {
  bool shared = false;
  std::string base;          ///< a buffer; empty: none
  std::uint32_t offset = 0;  ///< behind it, or the address
};

struct StepSize {
  enum class Unit : std::uint8_t { issue, cycle, warp };
  Unit unit = Unit::issue;
  std::uint64_t count = 1;
};

/// Which members mean something depends on `kind`.
struct DebugCommand {
  CommandKind kind = CommandKind::help;
  CommandLine line;
  DebugPlace place;                       ///< break, list
  std::vector<StopCondition> conditions;  ///< break
  std::optional<StallLimit> stall;        ///< break: instead of a place
  WatchedPlace watched;                   ///< watch
  StepSize step;                          ///< step
  std::optional<WarpName> warp;           ///< regs, stack, step, warp
  std::optional<unsigned> lane;           ///< regs
  std::string name;                       ///< global: of a buffer; empty: none
  std::uint64_t first = 0;                ///< global, shared: element or address; sm, delete: number
  std::optional<std::uint64_t> end;       ///< global: the element behind the last one; shared: the address
  const CommandRow* about = nullptr;      ///< help
};

/// Whether the line has a command: it is not empty, and no remark alone.
[[nodiscard]] bool has_command(const CommandLine& line);
/// Throws InputError (usage) with the place of the mistake.
[[nodiscard]] DebugCommand parse_command(const CommandLine& line);

}  // namespace teslasim
