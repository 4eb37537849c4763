// SPDX-License-Identifier: Apache-2.0
// Branches, barriers and other control instructions; the list of all words.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/text/mnemonics.h"
#include "isa/names.h"

namespace teslasim::text {
namespace {

struct ControlWord {
  std::string_view word;
  Opcode opcode;
};
constexpr std::array<ControlWord, 16> control_words{{
    {"bra", Opcode::bra},
    {"call", Opcode::call},
    {"join", Opcode::joinat},
    {"joinat", Opcode::joinat},
    {"ssy", Opcode::joinat},
    {"breakaddr", Opcode::breakaddr},
    {"pbk", Opcode::breakaddr},
    {"return", Opcode::ret},
    {"ret", Opcode::ret},
    {"break", Opcode::brk},
    {"brk", Opcode::brk},
    {"quadon", Opcode::quadon},
    {"quadpop", Opcode::quadpop},
    {"trap", Opcode::trap},
    {"brkpt", Opcode::brkpt},
    {"nop", Opcode::nop},
}};

Instruction build_control(Statement& s) {
  const ControlWord* row = control_words.data();
  while (row->word != s.base) ++row;
  s.expect_operands({0});
  Instruction i;
  i.opcode = row->opcode;
  return i;
}

/// decuda writes the type `.label` (or `.u32` for a number); it says nothing.
Instruction build_branch(Statement& s) {
  (void)s.take("label");
  Instruction i = build_control(s);
  if (i.opcode == Opcode::call) i.branch().limited = s.take("lim");
  return i;
}

std::uint32_t number_operand(const Statement& s, std::size_t position, std::int64_t maximum, std::string_view what) {
  const ParsedOperand& operand = s.operands[position];
  if (operand.shape != ParsedOperand::Shape::number)
    fail("ASM-OPERAND", operand.where, fmt::format("{} is a number", what));
  return static_cast<std::uint32_t>(checked(operand.value, 0, maximum, what));
}

Instruction build_bar(Statement& s) {
  s.expect_operands({1, 2});
  Instruction i;
  i.opcode = Opcode::bar;
  const bool arrive = s.take("arrive");
  const bool wait = s.take("wait");
  if (!s.take("sync") && !arrive && !wait)
    fail("ASM-OPCODE", s.base_where, "'bar' needs a kind", "write bar.sync, bar.arrive or bar.wait");
  BarrierDetails& barrier = i.barrier();
  barrier.arrive = arrive || !wait;
  barrier.wait = wait || !arrive;
  constexpr std::int64_t last_barrier = 15;
  barrier.number = static_cast<std::uint8_t>(number_operand(s, 0, last_barrier, "the barrier number"));
  if (s.operands.size() == 2)
    barrier.threads = static_cast<std::uint16_t>(number_operand(s, 1, 0xfff, "the thread count"));
  return i;
}

Instruction build_pmevent(Statement& s) {
  s.expect_operands({1});
  Instruction i;
  i.opcode = Opcode::pmevent;
  constexpr std::int64_t last_event = 15;
  i.event().number = static_cast<std::uint8_t>(number_operand(s, 0, last_event, "the event number"));
  return i;
}

constexpr OperandSyntax general = OperandSyntax::general;
constexpr OperandSyntax branch = OperandSyntax::branch_target;
constexpr auto rows = std::to_array<Mnemonic>({
    {"bra", branch, build_branch},
    {"call", branch, build_branch},
    {"join", branch, build_branch},
    {"joinat", branch, build_branch},
    {"ssy", branch, build_branch},
    {"breakaddr", branch, build_branch},
    {"pbk", branch, build_branch},
    {"return", general, build_control},
    {"ret", general, build_control},
    {"break", general, build_control},
    {"brk", general, build_control},
    {"quadon", general, build_control},
    {"quadpop", general, build_control},
    {"trap", general, build_control},
    {"brkpt", general, build_control},
    {"nop", general, build_control},
    {"bar", general, build_bar},
    {"pmevent", general, build_pmevent},
});

struct ForeignWord {
  std::string_view word;
  std::string_view help;
};
constexpr std::array<ForeignWord, 14> foreign_words{{
    {"exit", "end a thread with 'return', or put .end on its last instruction"},
    {"ld", "loads are 'mov' with a memory operand: mov.u32 $r1, g[$r2]"},
    {"st", "stores are 'mov' with a memory operand: mov.u32 g[$r2], $r1"},
    {"mad32", "use mad24, or build it from 16-bit parts"},
    {"mul32", "use mul24, or build it from 16-bit parts"},
    {"div", "there is no division: use rcp.f32 and mul.f32, or shifts"},
    {"rem", "there is no remainder: use 'and' for powers of two"},
    {"neg", "write sub.u32 from zero, or cvt.neg"},
    {"abs", "write cvt.abs"},
    {"sqrt", "use rsqrt.f32 and rcp.f32"},
    {"setp", "write set with a flag register: set.lt.s32 $p0|$o127, $r1, $r2"},
    {"selp", "use slct or predicated movs"},
    {"jmp", "branches are 'bra'"},
    {"kil", "kil belongs to graphics programs"},
}};

using Rows = std::array<std::span<const Mnemonic>, 5>;
Rows all_rows() {
  return {integer_mnemonics(), float_mnemonics(), move_mnemonics(), memory_mnemonics(), control_mnemonics()};
}

std::vector<std::string> collect_modifier_words() {
  std::vector<std::string> words{"join", "end",   "half",  "sat",    "lo",   "hi",    "neg",  "abs",  "lock", "unlock",
                                 "sfu",  "ld",    "scale", "ssat",   "sin",  "ex2",   "sub",  "subr", "addc", "any",
                                 "all",  "lim",   "sync",  "arrive", "wait", "label", "bias", "lod",  "size", "cube",
                                 "live", "deriv", "pass",  "1d",     "2d",   "3d",    "4d"};
  for (const std::string_view name : float_comparisons) words.emplace_back(name);
  for (const std::string_view name : {"rn", "rm", "rp", "rz", "rni", "rmi", "rpi", "rzi"}) words.emplace_back(name);
  for (const std::string_view name : {"add", "exch", "cas", "inc", "dec", "max", "min", "and", "or", "xor"})
    words.emplace_back(name);
  for (unsigned n = 0; n < 16; ++n) words.push_back(fmt::format("quad{}", n));
  for (unsigned n = 0; n < 8; ++n) words.push_back(fmt::format("l{}", n));
  return words;
}

}  // namespace

std::span<const Mnemonic> control_mnemonics() {
  return rows;
}

const Mnemonic* find_mnemonic(std::string_view word) {
  for (const auto& part : all_rows()) {
    const auto found = std::find_if(part.begin(), part.end(), [word](const Mnemonic& row) { return row.word == word; });
    if (found != part.end()) return &*found;
  }
  return nullptr;
}

std::vector<std::string> mnemonic_words() {
  std::vector<std::string> words;
  for (const auto& part : all_rows()) {
    for (const Mnemonic& row : part) words.emplace_back(row.word);
  }
  return words;
}

const std::vector<std::string>& modifier_words() {
  static const std::vector<std::string> words = collect_modifier_words();
  return words;
}

std::string_view foreign_word_help(std::string_view word) {
  for (const ForeignWord& foreign : foreign_words) {
    if (foreign.word == word) return foreign.help;
  }
  return {};
}

}  // namespace teslasim::text
