// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/spills.h"

#include <algorithm>

#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
VirtualRegister SpillChooser::cheapest(const MachineFunction& function, const RegisterGroups& groups,
                                       const Interference& interference, GroupIndex failed,
                                       const std::vector<double>& costs,
                                       const std::map<VirtualRegister, unsigned>& chosen) const {
  VirtualRegister best = no_register;
  double best_cost = 0;
  const auto consider = [&](VirtualRegister one) {
    if (rewriter_.is_temporary(one) || function.registers[one] != RegisterClass::general || chosen.contains(one))
      return;
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
  const std::vector<double> costs = spill_costs(function);
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
  std::vector<VirtualRegister> spilled;
  for (const auto& [one, helped] : chosen) spilled.push_back(one);
  rewriter_.move_out(function, spilled);
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

}  // namespace teslasim::compiler
