// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/spills.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

/// A loop is thought to run ten times.
constexpr double runs_of_a_loop = 10;

std::vector<double> costs_of(const MachineFunction& function) {
  std::vector<double> costs(function.registers.size());
  for (const MachineBlock& block : function.blocks) {
    const double weight = std::pow(runs_of_a_loop, block.depth);
    for (const MachineInstruction& one : block.code) {
      for_each_read(one, [&](VirtualRegister read) { costs[read] += weight; });
      for_each_write(one, [&](VirtualRegister written) { costs[written] += weight; });
    }
  }
  return costs;
}

MachineInstruction local_access(Opcode opcode, VirtualRegister value, std::uint32_t offset, std::uint32_t line) {
  MachineInstruction one;
  Instruction& i = one.instruction;
  i.opcode = opcode;
  i.type = ValueType::b32;
  i.source_line = line;
  Operand place;
  place.kind = Operand::Kind::local;
  place.type = ValueType::b32;
  place.offset = static_cast<std::int32_t>(offset);
  if (opcode == Opcode::load_local) {
    i.destination[0].kind = Operand::Kind::gpr;
    i.source[0] = place;
    one.result = RegisterTuple(value);
  } else {
    i.store_target = place;
    i.source[0].kind = Operand::Kind::gpr;
    one.source[0] = RegisterTuple(value);
  }
  return one;
}

}  // namespace

SpillChooser::SpillChooser(const MachineFunction& function) : thread_index_(function.thread_index) {}

VirtualRegister SpillChooser::cheapest(const MachineFunction& function, const RegisterGroups& groups,
                                       const Interference& interference, GroupIndex failed,
                                       const std::vector<double>& costs,
                                       const std::map<VirtualRegister, unsigned>& chosen) const {
  VirtualRegister best = no_register;
  double best_cost = 0;
  const auto consider = [&](VirtualRegister one) {
    if (!may_spill(one) || function.registers[one] != RegisterClass::general || chosen.contains(one)) return;
    const double cost = costs[one] / static_cast<double>(1 + interference.of(one).size());
    if (best != no_register && cost >= best_cost) return;
    best = one;
    best_cost = cost;
  };
  for (const std::vector<VirtualRegister>& slot : groups.groups[failed].slots) {
    for (const VirtualRegister one : slot) {
      consider(one);
      for (const VirtualRegister other : interference.of(one)) consider(other);
    }
  }
  return best;
}

void SpillChooser::spill(MachineFunction& function, const RegisterGroups& groups, const Interference& interference,
                         const std::vector<GroupIndex>& failed, const SpillEffort& effort) {
  const std::vector<double> costs = costs_of(function);
  std::map<VirtualRegister, unsigned> chosen;  // and how many groups each has helped
  for (const GroupIndex group : failed) {
    const auto helper = std::find_if(chosen.begin(), chosen.end(), [&](const auto& one) {
      return one.second < effort.helped && stands_in_way(groups, interference, one.first, group);
    });
    if (helper != chosen.end()) {
      ++helper->second;
      continue;
    }
    for (unsigned value = 0; value < effort.values; ++value) {
      const VirtualRegister best = cheapest(function, groups, interference, group, costs, chosen);
      if (best != no_register) chosen.try_emplace(best, 1U);
    }
  }
  SIM_CHECK(!chosen.empty(), "nothing is left to be kept in local memory");
  for (const auto& [one, helped] : chosen) move_to_memory(function, one);
}

bool SpillChooser::stands_in_way(const RegisterGroups& groups, const Interference& interference, VirtualRegister one,
                                 GroupIndex group) {
  if (groups.places[one].group == group) return true;
  for (const std::vector<VirtualRegister>& slot : groups.groups[group].slots) {
    for (const VirtualRegister mine : slot) {
      if (interference.between(mine, one)) return true;
    }
  }
  return false;
}

void SpillChooser::move_to_memory(MachineFunction& function, VirtualRegister spilled) {
  const std::uint32_t offset = function.local_bytes;
  function.local_bytes += 4;
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    std::vector<MachineInstruction> code;
    if (block == 0 && spilled == thread_index_) {
      code.push_back(local_access(Opcode::store_local, spilled, offset, 0));
      temporaries_.insert(spilled);
    }
    for (MachineInstruction& one : function.blocks[block].code) {
      bool writes = false;
      for_each_write(std::as_const(one), [&](VirtualRegister written) { writes = writes || written == spilled; });
      bool reads = writes && one.keeps_result();
      for_each_read(std::as_const(one), [&](VirtualRegister read) { reads = reads || read == spilled; });
      if (!reads && !writes) {
        code.push_back(one);
        continue;
      }
      const std::uint32_t line = one.instruction.source_line;
      const VirtualRegister fresh = function.add_register(RegisterClass::general);
      temporaries_.insert(fresh);
      const auto rename = [&](VirtualRegister& word) {
        if (word == spilled) word = fresh;
      };
      if (reads) code.push_back(local_access(Opcode::load_local, fresh, offset, line));
      for_each_read(one, rename);
      for_each_write(one, rename);
      code.push_back(one);
      if (writes) code.push_back(local_access(Opcode::store_local, fresh, offset, line));
    }
    function.blocks[block].code = std::move(code);
  }
}

}  // namespace teslasim::compiler
