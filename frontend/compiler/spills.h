// SPDX-License-Identifier: Apache-2.0
// Values that find no register although no more are live than there are: rows of registers and short fields are in the
// way of each other.
#pragma once

#include <map>
#include <vector>

#include "frontend/compiler/register_groups.h"
#include "frontend/compiler/spill_rewriter.h"

namespace teslasim::compiler {

/// How much is spilled at once.
struct SpillEffort {
  unsigned helped = ~0U;  ///< groups that a value is thought to help when it goes
  unsigned values = 1;    ///< for each group that nothing has helped
};

class SpillChooser {
 public:
  explicit SpillChooser(SpillRewriter& rewriter) : rewriter_(rewriter) {}

  /// For each group that found no place, the cheapest values of it and of those that stand in its way.
  void spill(MachineFunction& function, const RegisterGroups& groups, const Interference& interference,
             const std::vector<GroupIndex>& failed, const SpillEffort& effort);

 private:
  [[nodiscard]] VirtualRegister cheapest(const MachineFunction& function, const RegisterGroups& groups,
                                         const Interference& interference, GroupIndex failed,
                                         const std::vector<double>& costs,
                                         const std::map<VirtualRegister, unsigned>& chosen) const;
  [[nodiscard]] static bool stands_in_way(const RegisterGroups& groups, const Interference& interference,
                                          VirtualRegister one, GroupIndex group);

  SpillRewriter& rewriter_;
};

}  // namespace teslasim::compiler
