// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/address_motion.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/compiler/address_registers.h"

namespace teslasim::compiler {
namespace {

bool computes_the_same(const MachineInstruction& left, const MachineInstruction& right) {
  const Instruction &a = left.instruction, &b = right.instruction;
  return a.opcode == b.opcode && a.source[0].half == b.source[0].half &&
         a.source[1].immediate == b.source[1].immediate &&
         std::equal(left.source[0].begin(), left.source[0].end(), right.source[0].begin(), right.source[0].end());
}

class AddressMotion {
 public:
  explicit AddressMotion(MachineFunction& function)
      : function_(function), registers_(function), definitions_(function.definitions()) {}

  void run() {
    const Loops loops(registers_.graph());
    for (const NaturalLoop& loop : loops.all()) empty(loop);
  }

 private:
  struct Place {
    BlockIndex block;
    std::size_t position;
  };

  void empty(const NaturalLoop& loop) {
    const BlockIndex before = preheader(registers_.graph(), loop);
    if (before == no_block || registers_.is_large(loop)) return;
    while (move_one(loop, before)) {
    }
  }

  [[nodiscard]] AddressRegisters::Set written_in(const NaturalLoop& loop) const {
    AddressRegisters::Set written;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop.contains[block]) continue;
      for (const MachineInstruction& one : function_.blocks[block].code)
        for_each_write(one, [&](VirtualRegister result) { written.insert(result); });
    }
    return written;
  }

  bool move_one(const NaturalLoop& loop, BlockIndex before) {
    const AddressRegisters::Set written = written_in(loop);
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop.contains[block]) continue;
      for (std::size_t position = 0; position < function_.blocks[block].code.size(); ++position) {
        const MachineInstruction& one = function_.blocks[block].code[position];
        if (!sets_address(one) || definitions_[one.result[0]] != 1 || !is_invariant(one, written)) continue;
        const std::vector<Place> places = same_as(one, loop);
        AddressRegisters::Set moved;
        for (const Place& place : places) moved.insert(function_.blocks[place.block].code[place.position].result[0]);
        if (registers_.most_live(loop, moved) + 1 > most_live_addresses) continue;
        move(places, before);
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] static bool is_invariant(const MachineInstruction& one, const AddressRegisters::Set& written) {
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
    append_code(function_.blocks[before], kept);
  }

  MachineFunction& function_;
  AddressRegisters registers_;
  std::vector<unsigned> definitions_;
};

}  // namespace

void hoist_address_registers(MachineFunction& function) {
  AddressMotion(function).run();
}

}  // namespace teslasim::compiler
