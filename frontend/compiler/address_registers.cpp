// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/address_registers.h"

#include <algorithm>
#include <utility>

namespace teslasim::compiler {
namespace {

/// Of eight bytes, in the first cache (Collange 2010).
constexpr std::size_t cached_instructions = 512;

}  // namespace

AddressRegisters::AddressRegisters(const MachineFunction& function) : function_(function), graph_(function.graph()) {}

bool AddressRegisters::is_large(const NaturalLoop& loop) const {
  std::size_t instructions = 0;
  for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
    if (loop.contains[block]) instructions += function_.blocks[block].code.size();
  }
  return instructions > cached_instructions;
}

std::size_t AddressRegisters::most_live(const NaturalLoop& loop, const Set& without) const {
  std::vector<Set> starts(function_.blocks.size());
  std::size_t most = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = static_cast<BlockIndex>(function_.blocks.size()); block-- > 0;) {
      Set live;
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

std::size_t AddressRegisters::step_through(BlockIndex block, Set& live, const Set& without) const {
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

bool sets_address(const MachineInstruction& one) {
  const Opcode opcode = one.instruction.opcode;
  return (opcode == Opcode::shift_to_address || opcode == Opcode::add_address) && one.guard == no_register;
}

}  // namespace teslasim::compiler
