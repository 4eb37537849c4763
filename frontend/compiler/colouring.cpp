// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/colouring.h"

#include <algorithm>

#include "frontend/compiler/block_order.h"
#include "frontend/compiler/register_allocator.h"
#include "isa/forms.h"

namespace teslasim::compiler {
namespace {

constexpr unsigned uncoloured = ~0U;

/// Accesses add to address registers 1 to 4 and 7 only.
constexpr bool can_step_address(unsigned colour) {
  return colour != 4 && colour != 5;
}

}  // namespace

Colouring::Colouring(const MachineFunction& function, const RegisterGroups& groups, const Interference& interference,
                     const UrgentRegisters& urgent)
    : function_(function),
      groups_(groups),
      urgent_(urgent),
      neighbours_(groups.groups.size()),
      short_address_(function.registers.size()),
      stepped_(function.registers.size()) {
  find_addresses();
  std::vector<GroupIndex> seen_by(groups.groups.size(), no_group);
  for (GroupIndex mine = 0; mine < groups.groups.size(); ++mine) {
    seen_by[mine] = mine;
    for (const std::vector<VirtualRegister>& slot : groups.groups[mine].slots) {
      for (const VirtualRegister one : slot) {
        for (const VirtualRegister other : interference.of(one)) {
          const GroupIndex theirs = groups.places[other].group;
          if (seen_by[theirs] == mine) continue;
          seen_by[theirs] = mine;
          neighbours_[mine].push_back(theirs);
        }
      }
    }
  }
}

std::vector<GroupIndex> Colouring::run(ColouringOrder order, unsigned limit) {
  colour_.assign(groups_.groups.size(), uncoloured);
  std::vector<GroupIndex> groups = order == ColouringOrder::smallest_last ? smallest_last() : by_definitions();
  put_first(groups);
  std::vector<GroupIndex> failed;
  for (const GroupIndex group : groups) {
    if (!place(group, limit)) failed.push_back(group);
  }
  return failed;
}

unsigned Colouring::registers() const {
  unsigned most = 0;
  for (GroupIndex group = 0; group < colour_.size(); ++group) {
    if (width(group) == 0 || colour_[group] == uncoloured || kind(group) != RegisterClass::general) continue;
    most = std::max(most, colour_[group] + width(group));
  }
  return most;
}

std::vector<GroupIndex> Colouring::smallest_last() const {
  std::vector<unsigned> degree(groups_.groups.size());
  std::vector<std::vector<GroupIndex>> of_degree;
  std::vector<bool> waits(groups_.groups.size());
  const auto wait = [&](GroupIndex group) {
    if (of_degree.size() <= degree[group]) of_degree.resize(degree[group] + 1);
    of_degree[degree[group]].push_back(group);
  };
  for (GroupIndex group = 0; group < groups_.groups.size(); ++group) {
    if (width(group) == 0) continue;
    for (const GroupIndex other : neighbours_[group]) degree[group] += width(other);
    waits[group] = true;
    wait(group);
  }
  std::vector<GroupIndex> result;
  for (std::size_t least = 0; least < of_degree.size();) {
    if (of_degree[least].empty()) {
      ++least;
      continue;
    }
    const GroupIndex group = of_degree[least].back();
    of_degree[least].pop_back();
    // It waits where its degree says; other entries are of before.
    if (!waits[group] || degree[group] != least) continue;
    waits[group] = false;
    result.push_back(group);
    for (const GroupIndex other : neighbours_[group]) {
      if (!waits[other]) continue;
      degree[other] -= width(group);
      wait(other);
      least = std::min<std::size_t>(least, degree[other]);
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<GroupIndex> Colouring::by_definitions() const {
  std::vector<GroupIndex> result;
  std::vector<bool> seen(groups_.groups.size());
  const auto meet = [&](VirtualRegister one) {
    const GroupIndex group = groups_.places[one].group;
    if (!seen[group]) result.push_back(group);
    seen[group] = true;
  };
  meet(function_.thread_index);
  for (const BlockIndex block : block_order(function_)) {
    for (const MachineInstruction& one : function_.blocks[block].code) {
      for_each_read(one, meet);
      for_each_write(one, meet);
    }
  }
  for (VirtualRegister one = 0; one < function_.registers.size(); ++one) meet(one);
  return result;
}

/// What is fixed, what found no place before, and addresses that few registers suit.
void Colouring::put_first(std::vector<GroupIndex>& order) const {
  std::stable_partition(order.begin(), order.end(), [this](GroupIndex group) { return is_urgent(group); });
  std::stable_partition(order.begin(), order.end(), [this](GroupIndex group) { return groups_.groups[group].fixed; });
}

bool Colouring::is_urgent(GroupIndex group) const {
  const std::vector<std::vector<VirtualRegister>>& slots = groups_.groups[group].slots;
  return std::any_of(slots[0].begin(), slots[0].end(), [this](VirtualRegister one) { return urgent_.contains(one); }) ||
         is_stepped(group);
}

bool Colouring::is_stepped(GroupIndex group) const {
  const std::vector<VirtualRegister>& all = groups_.groups[group].slots[0];
  return std::any_of(all.begin(), all.end(), [this](VirtualRegister one) { return stepped_[one]; });
}

/// Instructions of four bytes name only the first three address registers. Also finds those that accesses add to.
void Colouring::find_addresses() {
  constexpr std::int32_t short_reach = 60;
  for (const MachineBlock& block : function_.blocks) {
    for (const MachineInstruction& one : block.code) {
      const Instruction& i = one.instruction;
      if (one.steps_memory) stepped_[one.memory] = true;
      if (one.memory == no_register || i.source[0].kind != Operand::Kind::shared || i.source[0].offset > short_reach ||
          i.form != Form::long_form || !has_form(i.opcode, Form::short_form))
        continue;
      short_address_[one.memory] = true;
    }
  }
}

bool Colouring::is_for_long_forms(GroupIndex group) const {
  if (kind(group) != RegisterClass::address) return false;
  const std::vector<VirtualRegister>& all = groups_.groups[group].slots[0];
  return std::none_of(all.begin(), all.end(), [this](VirtualRegister one) { return short_address_[one]; });
}

bool Colouring::place(GroupIndex group, unsigned limit) {
  const RegisterGroup& mine = groups_.groups[group];
  const RegisterClass kind_of = kind(group);
  unsigned most = kind_of == RegisterClass::flags     ? most_flag_registers
                  : kind_of == RegisterClass::address ? most_address_registers
                                                      : limit;
  if (kind_of == RegisterClass::general) most = std::min(most, mine.reach);
  std::vector<bool> taken(all_registers + 4);
  for (const GroupIndex other : neighbours_[group]) {
    if (colour_[other] == uncoloured) continue;
    for (unsigned slot = 0; slot < width(other); ++slot) taken[colour_[other] + slot] = true;
  }
  for (unsigned base = 0; base + width(group) <= most; base += mine.alignment) {
    bool free = !is_stepped(group) || can_step_address(base);
    for (unsigned slot = 0; slot < width(group); ++slot) free = free && !taken[base + slot];
    if (!free) {
      if (mine.fixed) break;
      continue;
    }
    colour_[group] = base;
    if (!is_for_long_forms(group)) return true;
  }
  return colour_[group] != uncoloured;
}

}  // namespace teslasim::compiler
