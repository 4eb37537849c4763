// SPDX-License-Identifier: Apache-2.0
// Numbers for groups of registers, so that no two that are live at once have the same.
//
// Groups choose one after the other, each the lowest number that is free. Two orders are known to be good: those with
// few neighbours last (Matula and Beck 1983, "Smallest-last ordering"; Briggs, Cooper, Torczon 1994, optimistic
// colouring), and the order in which a walk through the program meets the definitions, which is best where each value
// has one definition (Hack 2007).
#pragma once

#include <unordered_set>
#include <vector>

#include "frontend/compiler/register_groups.h"

namespace teslasim::compiler {

/// Those that found no place before: few numbers suit them, so they choose first.
using UrgentRegisters = std::unordered_set<VirtualRegister>;

enum class ColouringOrder : std::uint8_t { smallest_last, definitions };

class Colouring {
 public:
  Colouring(const MachineFunction& function, const RegisterGroups& groups, const Interference& interference,
            const UrgentRegisters& urgent);

  /// Begins anew; general registers are below `limit`. The groups that found no place.
  std::vector<GroupIndex> run(ColouringOrder order, unsigned limit);
  [[nodiscard]] unsigned colour(GroupIndex group) const { return colour_[group]; }
  /// General registers that are used.
  [[nodiscard]] unsigned registers() const;

 private:
  [[nodiscard]] unsigned width(GroupIndex group) const {
    return static_cast<unsigned>(groups_.groups[group].slots.size());
  }
  [[nodiscard]] RegisterClass kind(GroupIndex group) const {
    return function_.registers[groups_.groups[group].slots[0][0]];
  }
  [[nodiscard]] std::vector<GroupIndex> smallest_last() const;
  [[nodiscard]] std::vector<GroupIndex> by_definitions() const;
  void put_first(std::vector<GroupIndex>& order) const;
  [[nodiscard]] bool is_urgent(GroupIndex group) const;
  void find_addresses();
  [[nodiscard]] bool is_for_long_forms(GroupIndex group) const;
  [[nodiscard]] bool is_stepped(GroupIndex group) const;
  bool place(GroupIndex group, unsigned limit);

  const MachineFunction& function_;
  const RegisterGroups& groups_;
  const UrgentRegisters& urgent_;
  std::vector<std::vector<GroupIndex>> neighbours_;
  std::vector<unsigned> colour_;
  std::vector<bool> short_address_;  ///< of each register: instructions of four bytes could use it
  std::vector<bool> stepped_;        ///< of each register: an access adds to it
};

}  // namespace teslasim::compiler
