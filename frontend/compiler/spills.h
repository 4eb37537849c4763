// SPDX-License-Identifier: Apache-2.0
// Values that find no register live in local memory: stored where they are made, loaded where they are read.
#pragma once

#include <unordered_set>

#include "frontend/compiler/register_groups.h"

namespace teslasim::compiler {

class SpillChooser {
 public:
  explicit SpillChooser(const MachineFunction& function);

  /// Takes the cheapest value among the group that found no place and those that stand in its way.
  void spill(MachineFunction& function, const RegisterGroups& groups, const Interference& interference,
             GroupIndex failed);

 private:
  [[nodiscard]] bool may_spill(VirtualRegister one) const { return !temporaries_.contains(one); }

  VirtualRegister thread_index_;
  std::unordered_set<VirtualRegister> temporaries_{};
};

}  // namespace teslasim::compiler
