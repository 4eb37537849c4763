// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/register_allocator.h"

#include <algorithm>
#include <utility>

#include "frontend/compiler/colouring.h"
#include "frontend/compiler/pressure_spills.h"
#include "frontend/compiler/register_groups.h"
#include "frontend/compiler/spills.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

RegisterAllocation numbers_of(const MachineFunction& function, const RegisterGroups& groups, const Colouring& colours) {
  RegisterAllocation result;
  for (VirtualRegister one = 0; one < function.registers.size(); ++one) {
    const RegisterSlot place = groups.places[one];
    const unsigned number = colours.colour(place.group) + place.slot;
    const bool address = function.registers[one] == RegisterClass::address;
    result.number.push_back(static_cast<std::uint8_t>(address ? number + 1 : number));
    if (function.registers[one] == RegisterClass::general)
      result.general_registers = std::max(result.general_registers, number + 1);
  }
  return result;
}

/// One value less may be enough for many groups; where it is not, hundreds have to go, and more in each round.
SpillEffort effort_of(unsigned round) {
  constexpr unsigned careful_rounds = 6, rounds_of_one = 8;
  if (round < careful_rounds) return {};
  return {2, 1 + (round - careful_rounds) / rounds_of_one};
}

/// What is spilled needs registers around its readers, so there may be more to do.
void spill_to(MachineFunction& function, SpillRewriter& rewriter, unsigned live) {
  constexpr unsigned most_rounds = 4;
  for (unsigned round = 0; round < most_rounds; ++round) {
    const std::vector<VirtualRegister> spilled = registers_over_limit(function, rewriter, live);
    if (spilled.empty()) return;
    rewriter.move_out(function, spilled);
    separate_tuples(function);
  }
}

/// The order that leaves least without a place, and of equals the one that needs fewer registers.
std::vector<GroupIndex> best_colouring(Colouring& colours, unsigned limit) {
  const std::vector<GroupIndex> first = colours.run(ColouringOrder::smallest_last, limit);
  const unsigned registers = colours.registers();
  std::vector<GroupIndex> second = colours.run(ColouringOrder::definitions, limit);
  if (std::pair(second.size(), colours.registers()) < std::pair(first.size(), registers)) return second;
  return colours.run(ColouringOrder::smallest_last, limit);
}

}  // namespace

RegisterAllocation allocate_registers(MachineFunction& function, unsigned limit) {
  SpillRewriter rewriter(function);
  SpillChooser spills(rewriter);
  UrgentRegisters urgent;
  separate_tuples(function);
  spill_to(function, rewriter, limit);
  constexpr unsigned patient_rounds = 40, most_rounds = 400;
  constexpr std::size_t few = 4;  // more are no matter of order
  for (unsigned round = 0; round < most_rounds; ++round) {
    // So few that not even the operands of single instructions find their places.
    if (round > patient_rounds && limit < most_general_registers) ++limit;
    const Interference interference(function);
    const RegisterGroups groups = group_registers(function, interference);
    Colouring colours(function, groups, interference, urgent);
    const std::vector<GroupIndex> failed = best_colouring(colours, limit);
    if (failed.empty()) return numbers_of(function, groups, colours);
    bool widened = false;
    for (const GroupIndex group : failed) {
      const VirtualRegister first = groups.groups[group].slots[0][0];
      if (failed.size() <= few) widened = urgent.insert(first).second || widened;
      SIM_CHECK(function.registers[first] == RegisterClass::general,
                "more flag or address registers than the chip has");
      widened = widen_immediates(function, groups, group) || widened;
    }
    if (widened) continue;
    spills.spill(function, groups, interference, failed, effort_of(round));
    separate_tuples(function);
  }
  throw InternalError("registers do not suffice");
}

}  // namespace teslasim::compiler
