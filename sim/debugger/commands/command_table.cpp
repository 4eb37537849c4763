// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/commands/command_table.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/debugger/commands/command_line.h"

namespace teslasim {
namespace {

constexpr std::array<CommandRow, 20> table{{
    {CommandKind::breakpoint, "break", "PC | line N | LABEL | KERNEL [if CONDITION] | stall STATE>P%",
     "stop before a warp issues there, or when warps wait too much",
     "PC is hexadecimal (0x30). `line N` is a line of the source or assembly file, a LABEL one of the assembly;\n"
     "KERNEL is its first instruction, in whichever launch (`label NAME`, `kernel NAME` where both are called so).\n"
     "Stops on any SM in the cycle in which a warp comes to the instruction, before it issues.\n"
     "CONDITION: mask!=full, mask==0000ffff (lanes that run there), warp==W (in its block), block==B, sm==N;\n"
     "several with `and`. At a join, conditions with mask are also tried with the lanes of each path that comes "
     "there.\n"
     "stall: stops at the end of an interval of 256 SP cycles in which warps of the current SM were in the state\n"
     "(mem.global, or mem for all that begin with it) for more than P % of their cycles.\n",
     'b'},
    {CommandKind::watch, "watch", "g[ADDRESS] | s[ADDRESS]", "stop when a warp instruction writes the word there",
     "ADDRESS: a number, or a buffer with or without +BYTES: g[out+64]. s[...] is the shared memory of each block of\n"
     "the current SM. Stops in the cycle in which the store or atomic instruction issues; a store reaches device\n"
     "memory later, so `old` is what memory holds at the issue.\n",
     0},
    {CommandKind::remove, "delete", "N", "remove breakpoint or watchpoint N", "", 'd'},
    {CommandKind::info, "info", "[breaks]", "list breakpoints and watchpoints", "", 'i'},
    {CommandKind::run, "run", "", "go on to the next stop, or to the end", "", 'r'},
    {CommandKind::run, "continue", "", "the same as run", "", 'c'},
    {CommandKind::step, "step", "[N] [issue | cycle | warp W]", "go on by N instructions or cycles (1)",
     "issue (without a word): until the current SM has issued N instructions; says what the last one did.\n"
     "cycle: by N SM cycles, of two SP cycles each. warp W: until warp W has issued N instructions.\n"
     "An empty line repeats the last step.\n",
     's'},
    {CommandKind::finish, "finish", "", "go on to the end of the launch; stops do not count", "", 'f'},
    {CommandKind::where, "where", "", "cycle, launch, blocks, and how many warps are in which state", "", 'w'},
    {CommandKind::warps, "warps", "", "the warps of the current SM: block, pc, lanes, state, next instruction", "", 0},
    {CommandKind::registers, "regs", "[W [LANE]]", "registers and flags of a warp, or of one lane",
     "W: the slot of the warp in its SM as `warps` shows it, or BLOCK:W for a warp of a block. All lanes of the warp\n"
     "in one line: 0x2a, or 0x0+0x4*lane, or a list from lane 0 on. Registers that the kernel names are shown.\n",
     0},
    {CommandKind::shared, "shared", "ADDRESS [N]", "N words (8) of the shared memory of the current warp's block", "",
     0},
    {CommandKind::global, "global", "[NAME [I[:J]]]",
     "elements I to J-1 of a buffer, or a parameter; alone: their names",
     "What device memory holds: stores that are under way are not in it yet.\n", 'g'},
    {CommandKind::stack, "stack", "[W]", "divergence stack of a warp: types, masks, addresses", "", 0},
    {CommandKind::pipeline, "pipeline", "", "what each unit of the current SM does", "", 'p'},
    {CommandKind::list, "list", "[PC | LABEL | all]", "instructions around the current warp, with the warps at each",
     "", 'l'},
    {CommandKind::sm, "sm", "N", "make SM N the current one", "", 0},
    {CommandKind::warp, "warp", "W", "make warp W of the SM the current one", "", 0},
    {CommandKind::help, "help", "[COMMAND]", "the commands, or one of them", "", 'h'},
    {CommandKind::quit, "quit", "", "end the session; the launch ends where it is", "", 'q'},
}};

std::string names_of(const std::vector<const CommandRow*>& rows) {
  std::string text;
  for (const CommandRow* row : rows) text += fmt::format("{}{}", text.empty() ? "" : ", ", row->name);
  return text;
}

}  // namespace

std::span<const CommandRow> command_rows() {
  return table;
}

const CommandRow& take_command(CommandReader& reader) {
  const CommandWord word = reader.take("a command");
  std::vector<const CommandRow*> beginnings;
  std::vector<std::string> names;
  for (const CommandRow& row : table) {
    const bool is_letter = word.text.size() == 1 && word.text.front() == row.letter;
    if (row.name == word.text || is_letter) return row;
    if (row.name.starts_with(word.text)) beginnings.push_back(&row);
    names.emplace_back(row.name);
  }
  if (beginnings.size() == 1) return *beginnings.front();
  if (beginnings.size() > 1) {
    reader.fail(fmt::format("'{}' is the beginning of several commands", word.text), "one of " + names_of(beginnings),
                "DEBUG-COMMAND");
  }
  const std::string near = nearest_word(word.text, names);
  reader.fail(fmt::format("unknown command '{}'", word.text),
              near.empty() ? "help lists the commands" : fmt::format("did you mean '{}'?", near), "DEBUG-COMMAND");
}

std::string command_help(const CommandRow* wanted) {
  if (wanted != nullptr) {
    return fmt::format("{}{}{}\n  {}\n{}", wanted->name, wanted->arguments.empty() ? "" : " ", wanted->arguments,
                       wanted->summary, wanted->more);
  }
  std::string text;
  for (const CommandRow& row : table) text += fmt::format("{:<9} {}\n", row.name, row.summary);
  return text + "help COMMAND says more; a beginning that only one command has is enough, as is a letter of its own\n";
}

}  // namespace teslasim
