// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/record_check.h"

#include "memory/image/memory_access.h"

namespace teslasim {
namespace {

using Kind = MemoryAccess::Kind;
using Space = MemoryAccess::Space;

bool aligned(const AddressRecord& access) {
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) bits |= access.address[lane] & (0 - (access.lanes >> lane & 1U));
  return (bits & (access.bytes - 1U)) == 0;
}

}  // namespace

RecordCheck::RecordCheck(const Kernel& kernel) : rules_(kernel.code.size()) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const Instruction& instruction = kernel.code[i];
    Rule& rule = rules_[i];
    rule.shared = instruction.accesses_shared() || instruction.opcode == Opcode::load_shared;
    rule.constant = instruction.reads_constant_operand || instruction.opcode == Opcode::load_constant;
    const auto accesses = [&rule](Space space, Kind kind) {
      rule.memory = true;
      rule.space = static_cast<std::uint8_t>(space);
      rule.kind = static_cast<std::uint8_t>(kind);
    };
    if (instruction.opcode == Opcode::load_global) accesses(Space::global, Kind::load);
    if (instruction.opcode == Opcode::store_global) accesses(Space::global, Kind::store);
    if (instruction.opcode == Opcode::atom) accesses(Space::global, Kind::atomic);
    if (instruction.opcode == Opcode::red) accesses(Space::global, Kind::reduction);
    if (instruction.opcode == Opcode::load_local) accesses(Space::local, Kind::load);
    if (instruction.opcode == Opcode::store_local) accesses(Space::local, Kind::store);
    if (instruction.opcode == Opcode::tex) accesses(Space::texture, Kind::load);
  }
}

bool RecordCheck::fits(const InstructionRecord& record) const {
  const Rule& rule = rules_[record.index];
  if ((record.executed & ~record.active) != 0) return false;
  if (record.shared.lanes != 0 && !rule.shared) return false;
  if (record.constant.lanes != 0 && !rule.constant) return false;
  if (record.memory.lanes == 0) return true;
  if (!rule.memory || rule.space != record.memory_space || rule.kind != record.memory_kind) return false;
  return rule.space != static_cast<std::uint8_t>(Space::global) || aligned(record.memory);
}

std::string RecordCheck::describe(const InstructionRecord& record) const {
  const Rule& rule = rules_[record.index];
  if ((record.executed & ~record.active) != 0) return "lanes are executed that are not active";
  if (record.shared.lanes != 0 && !rule.shared) return "the instruction does not access shared memory";
  if (record.constant.lanes != 0 && !rule.constant) return "the instruction does not access constant memory";
  if (!rule.memory) return "the instruction does not access device memory";
  if (rule.space != record.memory_space || rule.kind != record.memory_kind)
    return "the instruction accesses device memory in another way";
  return "addresses are not multiples of the access's width";
}

}  // namespace teslasim
