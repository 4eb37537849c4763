// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/block_values.h"

#include <algorithm>

namespace teslasim::compiler {
namespace {

constexpr BlockValue not_seen = ~BlockValue{0};

}  // namespace

BlockValues::BlockValues(const MachineFunction& function, BlockIndex block, const LiveSet& live_out)
    : current_(function.registers.size(), not_seen) {
  const std::vector<MachineInstruction>& code = function.blocks[block].code;
  accessed_.resize(code.size());
  made_.resize(code.size());
  for (InstructionIndex at = 0; at < code.size(); ++at) visit(function, code[at], at);
  live_out.for_each([&](VirtualRegister one) {
    if (function.registers[one] != RegisterClass::general) return;
    if (current_[one] == not_seen) {
      ++untouched_;
    } else {
      values_[current_[one]].live_out = true;
    }
  });
}

void BlockValues::visit(const MachineFunction& function, const MachineInstruction& one, InstructionIndex at) {
  const auto access = [&](VirtualRegister accessed) {
    if (function.registers[accessed] != RegisterClass::general) return;
    BlockValue& value = current_[accessed];
    if (value == not_seen) {
      value = static_cast<BlockValue>(values_.size());
      values_.push_back({0, true, false});
    }
    std::vector<BlockValue>& mine = accessed_[at];
    if (std::find(mine.begin(), mine.end(), value) != mine.end()) return;
    mine.push_back(value);
    ++values_[value].accesses;
  };
  for_each_read(one, access);
  if (one.keeps_result()) return for_each_write(one, access);
  for_each_write(one, [&](VirtualRegister written) {
    if (function.registers[written] != RegisterClass::general) return;
    current_[written] = static_cast<BlockValue>(values_.size());
    made_[at].push_back(current_[written]);
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
    waiting_.push_back(value.accesses);
    live_ += value.live_in ? 1U : 0U;
  }
  most_ = live_;
}

int ForwardPressure::change(InstructionIndex one) const {
  int change = 0;
  for (const BlockValue value : values_.made(one)) change += values_.values()[value].wanted() ? 1 : 0;
  for (const BlockValue value : values_.accessed(one))
    change -= waiting_[value] == 1 && !values_.values()[value].live_out ? 1 : 0;
  return change;
}

void ForwardPressure::issue(InstructionIndex one) {
  live_ = static_cast<unsigned>(static_cast<int>(live_) + change(one));
  for (const BlockValue value : values_.accessed(one)) --waiting_[value];
  most_ = std::max(most_, live_);
}

}  // namespace teslasim::compiler
