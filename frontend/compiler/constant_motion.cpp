// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/constant_motion.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/compiler/loops.h"
#include "frontend/compiler/machine_liveness.h"

namespace teslasim::compiler {
namespace {

using Words = std::vector<std::uint32_t>;
using Registers = std::unordered_set<VirtualRegister>;

/// Registers of one value in the loop, each time it is moved there: one of a word, two of a double or a pair.
using Uses = std::vector<RegisterTuple>;

/// Of those that most moves are of, in one loop.
constexpr std::size_t most_values = 16;
/// A turn must win one instruction in so many, or the registers serve better for loads ahead.
constexpr std::size_t worth_of_turn = 64;

bool is_constant_move(const MachineInstruction& one) {
  return one.instruction.opcode == Opcode::mov && one.instruction.source[0].kind == Operand::Kind::immediate &&
         one.result.size() == 1 && one.guard == no_register && one.flag_result == no_register && !one.ordered;
}

/// General registers that are live before each instruction of a block, at most; not those of constants that move.
unsigned most_live_in(const MachineFunction& function, BlockIndex block, LiveSet live, const Registers& moving) {
  const auto count = [&] {
    unsigned general = 0;
    live.for_each([&](VirtualRegister one) {
      general += function.registers[one] == RegisterClass::general && !moving.contains(one) ? 1U : 0U;
    });
    return general;
  };
  unsigned most = count();
  const std::vector<MachineInstruction>& code = function.blocks[block].code;
  for (auto one = code.rbegin(); one != code.rend(); ++one) {
    step_back(live, *one);
    most = std::max(most, count());
  }
  return most;
}

class ConstantMotion {
 public:
  ConstantMotion(MachineFunction& function, unsigned room) : function_(function), graph_(function.graph()) {
    const std::vector<LiveSet> ends = live_at_ends(function);
    for (BlockIndex block = 0; block < function.blocks.size(); ++block)
      most_ = std::max(most_, most_live_in(function, block, ends[block], {}) + room);
  }

  bool run() {
    bool changed = false;
    const Loops loops(graph_);
    for (const NaturalLoop& loop : loops.all()) changed = empty(loop) || changed;
    return changed;
  }

 private:
  bool empty(const NaturalLoop& loop) {
    const BlockIndex before = preheader(graph_, loop);
    if (before == no_block) return false;
    find_moves(loop);
    std::vector<std::pair<Words, Uses>> values = values_of(loop);
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& left, const auto& right) { return left.second.size() > right.second.size(); });
    if (values.size() > most_values) values.resize(most_values);
    const std::vector<LiveSet> ends = live_at_ends(function_);
    Registers moving;
    std::vector<std::pair<Words, Uses>> chosen;
    std::size_t words_chosen = 0;
    for (const auto& [words, uses] : values) {
      if (uses.size() * words.size() * worth_of_turn < instructions_) continue;
      Registers more = moving;
      for (const RegisterTuple& use : uses) more.insert(use.begin(), use.end());
      if (most_live(loop, ends, more) + words_chosen + words.size() > most_) continue;
      moving = std::move(more);
      words_chosen += words.size();
      chosen.emplace_back(words, uses);
    }
    for (const auto& [words, uses] : chosen) move(words, uses, before, loop);
    return !chosen.empty();
  }

  [[nodiscard]] unsigned most_live(const NaturalLoop& loop, const std::vector<LiveSet>& ends,
                                   const Registers& moving) const {
    unsigned most = 0;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (loop.contains[block]) most = std::max(most, most_live_in(function_, block, ends[block], moving));
    }
    return most;
  }

  /// The constants of registers that the loop sets once, and how long it is.
  void find_moves(const NaturalLoop& loop) {
    const std::vector<unsigned> definitions = function_.definitions();
    constants_.clear();
    instructions_ = 0;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop.contains[block]) continue;
      instructions_ += function_.blocks[block].code.size();
      for (const MachineInstruction& one : function_.blocks[block].code) {
        const bool fixed = is_constant_move(one) && definitions[one.result[0]] == 1 &&
                           function_.registers[one.result[0]] == RegisterClass::general;
        if (fixed) constants_.emplace(one.result[0], one.instruction.source[0].immediate);
      }
    }
  }

  /// Registers that stand in rows of their own kind only: a register that is read in two different rows stays.
  [[nodiscard]] std::vector<std::pair<Words, Uses>> values_of(const NaturalLoop& loop) const {
    std::unordered_map<VirtualRegister, RegisterTuple> rows;
    std::unordered_map<VirtualRegister, bool> spoiled;
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInstruction& one : block.code) note_rows(one, rows, spoiled);
    }
    std::map<Words, Uses> found;
    std::unordered_map<VirtualRegister, bool> taken;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop.contains[block]) continue;
      for (const MachineInstruction& one : function_.blocks[block].code) {
        if (one.result.size() != 1 || !constants_.contains(one.result[0]) || taken[one.result[0]]) continue;
        const auto row = rows.find(one.result[0]);
        if (row == rows.end() || !is_whole(row->second, spoiled)) continue;
        Words words;
        for (const VirtualRegister word : row->second) {
          words.push_back(constants_.at(word));
          taken[word] = true;
        }
        found[words].push_back(row->second);
      }
    }
    return {found.begin(), found.end()};
  }

  static void note_rows(const MachineInstruction& one, std::unordered_map<VirtualRegister, RegisterTuple>& rows,
                        std::unordered_map<VirtualRegister, bool>& spoiled) {
    const auto note = [&](const RegisterTuple& tuple) {
      for (const VirtualRegister word : tuple) {
        const auto [row, added] = rows.emplace(word, tuple);
        if (!added && !std::equal(tuple.begin(), tuple.end(), row->second.begin(), row->second.end()))
          spoiled[word] = true;
      }
    };
    for (const RegisterTuple& tuple : one.source) note(tuple);
    if (one.memory != no_register) note(RegisterTuple(one.memory));
    if (one.result.size() > 1) note(one.result);
  }

  [[nodiscard]] bool is_whole(const RegisterTuple& row,
                              const std::unordered_map<VirtualRegister, bool>& spoiled) const {
    return std::all_of(row.begin(), row.end(),
                       [&](VirtualRegister word) { return constants_.contains(word) && !spoiled.contains(word); });
  }

  void move(const Words& words, const Uses& uses, BlockIndex before, const NaturalLoop& loop) {
    std::unordered_map<VirtualRegister, VirtualRegister> renamed;
    for (const RegisterTuple& use : uses) {
      for (std::size_t word = 0; word < use.size(); ++word) renamed.emplace(use[word], uses.front()[word]);
    }
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      std::vector<MachineInstruction>& code = function_.blocks[block].code;
      if (loop.contains[block]) {
        std::erase_if(code, [&](const MachineInstruction& one) {
          return is_constant_move(one) && renamed.contains(one.result[0]);
        });
      }
      for (MachineInstruction& one : code) {
        for_each_read(one, [&](VirtualRegister& read) {
          if (const auto found = renamed.find(read); found != renamed.end()) read = found->second;
        });
      }
    }
    for (std::size_t word = 0; word < words.size(); ++word)
      append_code(function_.blocks[before], constant_move(uses.front()[word], words[word]));
  }

  MachineFunction& function_;
  FlowGraph graph_;
  std::unordered_map<VirtualRegister, std::uint32_t> constants_{};
  std::size_t instructions_ = 0;
  unsigned most_ = 0;
};

}  // namespace

bool hoist_constants(MachineFunction& function, unsigned room) {
  return ConstantMotion(function, room).run();
}

}  // namespace teslasim::compiler
