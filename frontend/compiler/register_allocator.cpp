// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/register_allocator.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "frontend/compiler/register_groups.h"
#include "frontend/compiler/spills.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

constexpr unsigned flag_registers = 4, address_registers = 7;

/// Those that found no place before: few numbers suit them, so they choose first.
using UrgentRegisters = std::unordered_set<VirtualRegister>;

class Colouring {
 public:
  Colouring(const MachineFunction& function, const RegisterGroups& groups, const Interference& interference,
            const UrgentRegisters& urgent)
      : function_(function),
        groups_(groups),
        urgent_(urgent),
        neighbours_(groups.groups.size()),
        colour_(groups.groups.size(), uncoloured) {
    for (VirtualRegister one = 0; one < function.registers.size(); ++one) {
      const GroupIndex mine = groups.places[one].group;
      for (const VirtualRegister other : interference.of(one)) {
        const GroupIndex theirs = groups.places[other].group;
        if (theirs != mine) neighbours_[mine].insert(theirs);
      }
    }
  }

  /// The groups that found no place.
  std::vector<GroupIndex> run(unsigned limit) {
    std::vector<GroupIndex> failed;
    for (const GroupIndex group : order()) {
      if (!place(group, limit)) failed.push_back(group);
    }
    return failed;
  }

  [[nodiscard]] unsigned colour(GroupIndex group) const { return colour_[group]; }

 private:
  static constexpr unsigned uncoloured = ~0U;

  [[nodiscard]] unsigned width(GroupIndex group) const {
    return static_cast<unsigned>(groups_.groups[group].slots.size());
  }
  [[nodiscard]] RegisterClass kind(GroupIndex group) const {
    return function_.registers[groups_.groups[group].slots[0][0]];
  }

  /// Those with few neighbours last; what is fixed, wide or narrow in its choice first.
  std::vector<GroupIndex> order() const {
    std::vector<unsigned> degree(groups_.groups.size());
    std::set<std::pair<unsigned, GroupIndex>> waiting;
    for (GroupIndex group = 0; group < groups_.groups.size(); ++group) {
      if (width(group) == 0) continue;
      for (const GroupIndex other : neighbours_[group]) degree[group] += width(other);
      waiting.insert({degree[group], group});
    }
    std::vector<GroupIndex> result;
    while (!waiting.empty()) {
      const auto [least, group] = *waiting.begin();
      waiting.erase(waiting.begin());
      result.push_back(group);
      for (const GroupIndex other : neighbours_[group]) {
        if (waiting.erase({degree[other], other}) == 0) continue;
        degree[other] -= width(group);
        waiting.insert({degree[other], other});
      }
    }
    std::reverse(result.begin(), result.end());
    std::stable_partition(result.begin(), result.end(), [this](GroupIndex group) { return is_urgent(group); });
    std::stable_partition(result.begin(), result.end(),
                          [this](GroupIndex group) { return groups_.groups[group].fixed; });
    return result;
  }

  [[nodiscard]] bool is_urgent(GroupIndex group) const {
    const std::vector<std::vector<VirtualRegister>>& slots = groups_.groups[group].slots;
    return std::any_of(slots[0].begin(), slots[0].end(), [this](VirtualRegister one) { return urgent_.contains(one); });
  }

  bool place(GroupIndex group, unsigned limit) {
    const RegisterGroup& mine = groups_.groups[group];
    const RegisterClass kind_of = kind(group);
    unsigned most = kind_of == RegisterClass::flags     ? flag_registers
                    : kind_of == RegisterClass::address ? address_registers
                                                        : limit;
    if (kind_of == RegisterClass::general) most = std::min(most, mine.reach);
    std::vector<bool> taken(all_registers + 4);
    for (const GroupIndex other : neighbours_[group]) {
      if (colour_[other] == uncoloured) continue;
      for (unsigned slot = 0; slot < width(other); ++slot) taken[colour_[other] + slot] = true;
    }
    for (unsigned base = 0; base + width(group) <= most; base += mine.alignment) {
      bool free = true;
      for (unsigned slot = 0; slot < width(group); ++slot) free = free && !taken[base + slot];
      if (!free) {
        if (mine.fixed) break;
        continue;
      }
      colour_[group] = base;
      return true;
    }
    return false;
  }

  const MachineFunction& function_;
  const RegisterGroups& groups_;
  const UrgentRegisters& urgent_;
  std::vector<std::unordered_set<GroupIndex>> neighbours_;
  std::vector<unsigned> colour_;
};

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

}  // namespace

RegisterAllocation allocate_registers(MachineFunction& function, unsigned limit) {
  SpillChooser spills(function);
  UrgentRegisters urgent;
  separate_tuples(function);
  constexpr unsigned patient_rounds = 40, most_rounds = 400;
  constexpr std::size_t few = 4;  // more are no matter of order
  for (unsigned round = 0; round < most_rounds; ++round) {
    // So few that not even the operands of single instructions find their places.
    if (round > patient_rounds && limit < most_general_registers) ++limit;
    const Interference interference(function);
    const RegisterGroups groups = group_registers(function, interference);
    Colouring colours(function, groups, interference, urgent);
    const std::vector<GroupIndex> failed = colours.run(limit);
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
