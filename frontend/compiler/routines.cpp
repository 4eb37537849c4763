// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/routines.h"

#include <algorithm>
#include <array>

#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

constexpr auto routine_names =
    std::to_array<std::string_view>({"quotient_u32", "quotient_s32", "remainder_u32", "remainder_s32"});

}  // namespace

std::uint32_t routine_number(std::string_view name) {
  const auto found = std::find(routine_names.begin(), routine_names.end(), name);
  SIM_CHECK(found != routine_names.end(), "not a routine");
  return static_cast<std::uint32_t>(found - routine_names.begin());
}

std::string_view routine_name(std::uint32_t number) {
  return routine_names.at(number);
}

MachineRoutine& routine_of(MachineFunction& machine, std::uint32_t number) {
  std::vector<MachineRoutine>& all = machine.routines;
  const auto known = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.number == number; });
  if (known != all.end()) return *known;
  MachineRoutine routine{number, static_cast<BlockIndex>(machine.blocks.size())};
  for (VirtualRegister& operand : routine.operand) operand = machine.add_register(RegisterClass::general);
  MachineBlock block;
  block.end.kind = MachineEnd::Kind::back;
  block.end.returned = routine.operand[0];
  machine.blocks.push_back(block);
  return all.emplace_back(routine);
}

}  // namespace teslasim::compiler
