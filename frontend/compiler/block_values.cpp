// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/block_values.h"

#include <algorithm>

namespace teslasim::compiler {

BlockValues::BlockValues(const MachineFunction& function, BlockIndex block, const LiveSet& live_out) {
  const std::vector<MachineInstruction>& code = function.blocks[block].code;
  accessed_.resize(code.size());
  made_.resize(code.size());
  CurrentValues current;
  for (InstructionIndex at = 0; at < code.size(); ++at) visit(function, code[at], at, current);
  live_out.for_each([&](VirtualRegister one) {
    if (function.registers[one] != RegisterClass::general) return;
    if (const auto known = current.find(one); known != current.end()) {
      values_[known->second].live_out = true;
    } else {
      ++untouched_;
    }
  });
}

void BlockValues::visit(const MachineFunction& function, const MachineInstruction& one, InstructionIndex at,
                        CurrentValues& current) {
  const auto access = [&](VirtualRegister accessed) {
    if (function.registers[accessed] != RegisterClass::general) return;
    const auto [known, added] = current.try_emplace(accessed, static_cast<BlockValue>(values_.size()));
    if (added) values_.push_back({.live_in = true});
    const BlockValue value = known->second;
    std::vector<BlockValue>& mine = accessed_[at];
    if (std::find(mine.begin(), mine.end(), value) != mine.end()) return;
    mine.push_back(value);
    ++values_[value].accesses;
    values_[value].sum_of_accesses += at;
  };
  for_each_read(one, access);
  if (one.keeps_result()) return for_each_write(one, access);
  for_each_write(one, [&](VirtualRegister written) {
    if (function.registers[written] != RegisterClass::general) return;
    current[written] = static_cast<BlockValue>(values_.size());
    made_[at].push_back(current[written]);
    values_.emplace_back();
  });
}

unsigned BlockValues::pressure(const std::vector<InstructionIndex>& order) const {
  ForwardPressure pressure(*this);
  for (const InstructionIndex one : order) pressure.issue(one);
  return pressure.most();
}

ForwardPressure::ForwardPressure(const BlockValues& values) : values_(values), live_(values.untouched()) {
  for (const BlockValues::Value& value : values.values()) {
    waiting_.push_back({value.accesses, value.sum_of_accesses});
    live_ += value.live_in ? 1U : 0U;
  }
  most_ = live_;
}

int ForwardPressure::change(InstructionIndex one) const {
  int change = 0;
  for (const BlockValue value : values_.made(one)) change += values_.values()[value].wanted() ? 1 : 0;
  for (const BlockValue value : values_.accessed(one))
    change -= waiting_[value].count == 1 && !values_.values()[value].live_out ? 1 : 0;
  return change;
}

}  // namespace teslasim::compiler
