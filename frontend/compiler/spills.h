// SPDX-License-Identifier: Apache-2.0
// Values that find no register live in local memory: stored where they are made, loaded where they are read.
#pragma once

#include <map>
#include <unordered_set>
#include <vector>

#include "frontend/compiler/register_groups.h"

namespace teslasim::compiler {

/// How much is spilled at once.
struct SpillEffort {
  unsigned helped = ~0U;  ///< groups that a value is thought to help when it goes
  unsigned values = 1;    ///< for each group that nothing has helped
};

class SpillChooser {
 public:
  explicit SpillChooser(const MachineFunction& function);

  /// For each group that found no place, the cheapest values of it and of those that stand in its way.
  void spill(MachineFunction& function, const RegisterGroups& groups, const Interference& interference,
             const std::vector<GroupIndex>& failed, const SpillEffort& effort);

 private:
  [[nodiscard]] bool may_spill(VirtualRegister one) const { return !temporaries_.contains(one); }
  [[nodiscard]] VirtualRegister cheapest(const MachineFunction& function, const RegisterGroups& groups,
                                         const Interference& interference, GroupIndex failed,
                                         const std::vector<double>& costs,
                                         const std::map<VirtualRegister, unsigned>& chosen) const;
  [[nodiscard]] static bool stands_in_way(const RegisterGroups& groups, const Interference& interference,
                                          VirtualRegister one, GroupIndex group);
  void move_to_memory(MachineFunction& function, VirtualRegister spilled);

  VirtualRegister thread_index_;
  std::unordered_set<VirtualRegister> temporaries_{};
};

}  // namespace teslasim::compiler
