// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/address_motion.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/compiler/loops.h"

namespace teslasim::compiler {
namespace {

/// Of seven; one is left for what later passes need.
constexpr std::size_t most_live = 6;
/// Of eight bytes, in the first cache (Collange 2010).
constexpr std::size_t cached_instructions = 512;

using Registers = std::unordered_set<VirtualRegister>;

bool sets_address(const MachineInstruction& one) {
  const Opcode opcode = one.instruction.opcode;
  return (opcode == Opcode::shift_to_address || opcode == Opcode::add_address) && one.guard == no_register;
}

bool computes_the_same(const MachineInstruction& left, const MachineInstruction& right) {
  const Instruction &a = left.instruction, &b = right.instruction;
  return a.opcode == b.opcode && a.source[0].half == b.source[0].half &&
         a.source[1].immediate == b.source[1].immediate &&
         std::equal(left.source[0].begin(), left.source[0].end(), right.source[0].begin(), right.source[0].end());
}

class AddressMotion {
 public:
  explicit AddressMotion(MachineFunction& function) : function_(function), graph_(function.blocks.size()) {
    for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
      for (const BlockIndex next : function.successors(block)) graph_.connect(block, next);
    }
  }

  void run() {
    count_definitions();
    const Loops loops(graph_);
    for (const NaturalLoop& loop : loops.all()) empty(loop);
  }

 private:
  struct Place {
    BlockIndex block;
    std::size_t position;
  };

  void count_definitions() {
    definitions_.assign(function_.registers.size(), 0);
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInstruction& one : block.code)
        for_each_write(one, [this](VirtualRegister written) { ++definitions_[written]; });
    }
  }

  /// The only block from which the loop is entered, if it leads nowhere else.
  [[nodiscard]] BlockIndex preheader(const NaturalLoop& loop) const {
    BlockIndex found = no_block;
    for (const BlockIndex from : graph_.predecessors(loop.header)) {
      if (loop.contains[from]) continue;
      if (found != no_block || graph_.successors(from).size() != 1) return no_block;
      found = from;
    }
    return found;
  }

  void empty(const NaturalLoop& loop) {
    const BlockIndex before = preheader(loop);
    if (before == no_block || is_large(loop)) return;
    while (move_one(loop, before)) {
    }
  }

  /// Larger than the cache: instructions of four bytes are worth more, and those name three address registers only.
  [[nodiscard]] bool is_large(const NaturalLoop& loop) const {
    std::size_t instructions = 0;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (loop.contains[block]) instructions += function_.blocks[block].code.size();
    }
    return instructions > cached_instructions;
  }

  [[nodiscard]] Registers written_in(const NaturalLoop& loop) const {
    Registers written;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop.contains[block]) continue;
      for (const MachineInstruction& one : function_.blocks[block].code)
        for_each_write(one, [&](VirtualRegister result) { written.insert(result); });
    }
    return written;
  }

  bool move_one(const NaturalLoop& loop, BlockIndex before) {
    const Registers written = written_in(loop);
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop.contains[block]) continue;
      for (std::size_t position = 0; position < function_.blocks[block].code.size(); ++position) {
        const MachineInstruction& one = function_.blocks[block].code[position];
        if (!sets_address(one) || definitions_[one.result[0]] != 1 || !is_invariant(one, written)) continue;
        const std::vector<Place> places = same_as(one, loop);
        Registers moved;
        for (const Place& place : places) moved.insert(function_.blocks[place.block].code[place.position].result[0]);
        if (pressure(loop, moved) + 1 > most_live) continue;
        move(places, before);
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] static bool is_invariant(const MachineInstruction& one, const Registers& written) {
    bool invariant = true;
    for_each_read(one, [&](VirtualRegister read) { invariant = invariant && !written.contains(read); });
    return invariant;
  }

  [[nodiscard]] std::vector<Place> same_as(const MachineInstruction& one, const NaturalLoop& loop) const {
    std::vector<Place> places;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop.contains[block]) continue;
      const std::vector<MachineInstruction>& code = function_.blocks[block].code;
      for (std::size_t position = 0; position < code.size(); ++position) {
        const MachineInstruction& other = code[position];
        if (sets_address(other) && definitions_[other.result[0]] == 1 && computes_the_same(one, other))
          places.push_back({block, position});
      }
    }
    return places;
  }

  /// Takes the register of an instruction before the loop that does the same.
  bool reuse(MachineInstruction& one, BlockIndex before) const {
    bool fixed = true;
    for_each_read(one, [&](VirtualRegister read) { fixed = fixed && definitions_[read] == 1; });
    for (const MachineInstruction& other : function_.blocks[before].code) {
      if (!fixed || !sets_address(other) || definitions_[other.result[0]] != 1 || !computes_the_same(one, other))
        continue;
      one.result = other.result;
      return true;
    }
    return false;
  }

  void move(const std::vector<Place>& places, BlockIndex before) {
    MachineInstruction kept = function_.blocks[places.front().block].code[places.front().position];
    const bool known = reuse(kept, before);
    std::unordered_map<VirtualRegister, VirtualRegister> renamed;
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
      std::vector<MachineInstruction>& code = function_.blocks[place->block].code;
      renamed.emplace(code[place->position].result[0], kept.result[0]);
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(place->position));
    }
    for (MachineBlock& block : function_.blocks) {
      for (MachineInstruction& one : block.code) {
        for_each_read(one, [&](VirtualRegister& read) {
          if (const auto found = renamed.find(read); found != renamed.end()) read = found->second;
        });
      }
    }
    if (known) return;
    std::vector<MachineInstruction>& code = function_.blocks[before].code;
    // Places to meet are announced last.
    auto at = code.end();
    while (at != code.begin() && (at - 1)->instruction.form == Form::control_form) --at;
    code.insert(at, kept);
  }

  /// The most address registers that are live at once in the loop, without these.
  [[nodiscard]] std::size_t pressure(const NaturalLoop& loop, const Registers& without) const {
    std::vector<Registers> starts(function_.blocks.size());
    std::size_t most = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto block = static_cast<BlockIndex>(function_.blocks.size()); block-- > 0;) {
        Registers live;
        for (const BlockIndex next : graph_.successors(block)) live.insert(starts[next].begin(), starts[next].end());
        const std::size_t here = step_through(block, live, without);
        if (loop.contains[block]) most = std::max(most, here);
        if (live.size() != starts[block].size()) {
          starts[block] = std::move(live);
          changed = true;
        }
      }
    }
    return most;
  }

  [[nodiscard]] std::size_t step_through(BlockIndex block, Registers& live, const Registers& without) const {
    const auto counts = [&](VirtualRegister one) {
      return function_.registers[one] == RegisterClass::address && !without.contains(one);
    };
    std::size_t most = live.size();
    const std::vector<MachineInstruction>& code = function_.blocks[block].code;
    for (auto one = code.rbegin(); one != code.rend(); ++one) {
      for_each_write(*one, [&](VirtualRegister written) { live.erase(written); });
      for_each_read(*one, [&](VirtualRegister read) {
        if (counts(read)) live.insert(read);
      });
      most = std::max(most, live.size());
    }
    return most;
  }

  MachineFunction& function_;
  FlowGraph graph_;
  std::vector<unsigned> definitions_{};
};

}  // namespace

void hoist_address_registers(MachineFunction& function) {
  AddressMotion(function).run();
}

}  // namespace teslasim::compiler
