// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/instruction_timing.h"

#include <algorithm>
#include <bit>

namespace teslasim {
namespace {

/// The SFU's multipliers take moves that the compiler marked for them, and a share of the f32 multiplications.
Pipe pipe_of(const Instruction& instruction, const SmSpec& spec) {
  switch (instruction.unit()) {
    case UnitClass::mad:
      if (instruction.sfu_hint) return Pipe::sfu_mul;
      if (spec.dual_issue_mul && instruction.opcode == Opcode::fmul) return Pipe::mad_or_sfu;
      return instruction.reads_shared_operand && spec.register_file.one_shared_operand ? Pipe::mad_shared : Pipe::mad;
    case UnitClass::sfu:
      return Pipe::sfu;
    case UnitClass::dp:
      return Pipe::dp;
    case UnitClass::memory:
      return Pipe::memory;
    case UnitClass::control:
      if (spec.control_on_mad) return Pipe::control;
      return instruction.opcode == Opcode::bar ? Pipe::barrier : Pipe::none;
  }
  return Pipe::none;
}

SlotReason reason_of_result(const Instruction& instruction, Pipe pipe) {
  switch (instruction.row().issue_class) {
    case IssueClass::global:
      return SlotReason::mem_global;
    case IssueClass::local:
      return instruction.opcode == Opcode::store_local ? SlotReason::dep_alu : SlotReason::mem_local;
    case IssueClass::tex:
      return SlotReason::mem_tex;
    default:
      break;
  }
  if (instruction.reads_constant_operand || instruction.opcode == Opcode::load_constant) return SlotReason::mem_const;
  if (instruction.accesses_shared()) return SlotReason::mem_shared;
  if (pipe == Pipe::dp) return SlotReason::dep_dp;
  if (pipe == Pipe::sfu || pipe == Pipe::sfu_mul) return SlotReason::dep_sfu;
  return SlotReason::dep_alu;
}

bool transfers_control(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::brk:
      return true;
    default:
      return false;
  }
}

/// Loads and stores of shared memory too; a 32-bit operand is read or written by the MAD unit.
bool touches_shared_memory(const Instruction& instruction) {
  return instruction.unit() == UnitClass::mad &&
         (instruction.accesses_shared() || instruction.opcode == Opcode::load_shared);
}

/// General registers in a set: the ones that a bank of the register file must write.
unsigned general_registers(const RegisterSet& registers) {
  return static_cast<unsigned>(std::popcount(registers.words[0]) + std::popcount(registers.words[1]));
}

struct PipeLaw {
  unsigned latency;     ///< SP cycles with `free_reads` register reads
  unsigned free_reads;  ///< reads included in `latency`
  unsigned lanes;
};

PipeLaw law_of(Pipe pipe, const SmSpec& spec) {
  switch (pipe) {
    case Pipe::sfu:
      return {spec.latency.sfu, 1, spec.sfu_units};
    case Pipe::sfu_mul:
      return {spec.latency.sfu_mul, 1, spec.sfu_mul_lanes};
    case Pipe::barrier:
      return {spec.latency.barrier, 1, spec.barrier_threads_per_cycle};
    case Pipe::dp:
      return {spec.latency.dp, 2, std::max(spec.dp_units, 1U)};
    default:
      return {spec.latency.alu, 1, spec.sp_lanes};
  }
}

/// SP cycles for which a full warp takes its pipe.
unsigned warp_cycles(Pipe pipe, const Instruction& instruction, const SmSpec& spec, unsigned lanes) {
  const unsigned cycles = warp_size / lanes;
  if (instruction.opcode == Opcode::bar) return std::max(cycles, warp_size / spec.barrier_threads_per_cycle);
  // A load out of shared memory has no other operand to wait for.
  const bool waits = instruction.reads_shared_operand && instruction.operand_reads != 0;
  const bool on_mad = pipe == Pipe::mad || pipe == Pipe::mad_shared;
  return cycles + (waits && on_mad ? spec.register_file.shared_operand_cycles : 0);
}

/// A stay of `cycles` SP cycles, in SM cycles.
std::uint16_t stay(unsigned cycles) {
  return static_cast<std::uint16_t>(std::max(1U, sm_cycles(cycles)));
}

InstructionTiming timing_of(const Instruction& instruction, const SmSpec& spec) {
  InstructionTiming timing;
  timing.need = instruction.reads;
  timing.need.insert(instruction.writes);
  timing.register_writes = instruction.writes;
  timing.register_writes.words[2] &= ~std::uint64_t{0xf};
  timing.flag_writes.words[2] = instruction.writes.words[2] & 0xf;
  timing.pipe = pipe_of(instruction, spec);
  timing.result_reason = reason_of_result(instruction, timing.pipe);

  const PipeLaw law = law_of(timing.pipe, spec);
  const unsigned reads = instruction.operand_reads;
  const unsigned further = reads > law.free_reads ? reads - law.free_reads : 0;
  unsigned pass = 0;
  if (instruction.accesses_shared() || instruction.opcode == Opcode::load_shared) pass += spec.latency.shared;
  if (instruction.reads_constant_operand || instruction.opcode == Opcode::load_constant) pass += spec.latency.constant;
  const unsigned extra = further * spec.latency.operand_read + pass;
  timing.on_chip = pass != 0 || instruction.accesses_shared();
  timing.register_latency = static_cast<std::uint16_t>(std::max(1U, sm_cycles(law.latency + extra)));
  timing.flag_latency =
      static_cast<std::uint16_t>(std::max(1U, sm_cycles(law.latency + extra) + sm_cycles(spec.latency.flags)));
  if (timing.pipe == Pipe::mad_or_sfu) {
    timing.sfu_latency = static_cast<std::uint16_t>(std::max(1U, sm_cycles(spec.latency.sfu_mul + extra)));
  }
  timing.register_reads = static_cast<std::uint8_t>(reads);
  timing.result_registers = static_cast<std::uint8_t>(general_registers(instruction.writes));
  const unsigned sfu_lanes = timing.pipe == Pipe::mad_or_sfu ? spec.sfu_mul_lanes : law.lanes;
  const auto group_cycles = [&spec](unsigned lanes) { return (spec.shared.access_group + lanes - 1) / lanes; };
  timing.interval = stay(warp_cycles(timing.pipe, instruction, spec, law.lanes));
  timing.group_interval = stay(group_cycles(law.lanes));
  timing.sfu_interval = stay(warp_size / sfu_lanes);
  timing.sfu_group_interval = stay(group_cycles(sfu_lanes));
  for (const Operand& source : instruction.source) {
    if (source.kind == Operand::Kind::constant) timing.constant_bank = source.bank;
  }
  timing.control_transfer = transfers_control(instruction);
  const bool guarded = instruction.predicated() && instruction.unit() != UnitClass::control;
  timing.executes_in_no_lane = guarded && !spec.drop_shared_operands && touches_shared_memory(instruction);
  timing.may_be_dropped = guarded && !timing.executes_in_no_lane;
  unsigned next_issue = std::max(1U, sm_cycles(spec.warp_issue_gap_cycles));
  if (timing.control_transfer) next_issue = std::max(next_issue, sm_cycles(spec.latency.branch));
  if (instruction.opcode == Opcode::bar) next_issue = std::max(next_issue, sm_cycles(spec.latency.barrier));
  timing.next_issue = static_cast<std::uint16_t>(next_issue);
  return timing;
}

}  // namespace

bool put_registers_in_one_word(std::vector<InstructionTiming>& table) {
  const auto fits = [](const InstructionTiming& timing) { return timing.need.fits_one_word(); };
  if (!std::all_of(table.begin(), table.end(), fits)) return false;
  for (InstructionTiming& timing : table) {
    for (RegisterSet* set : {&timing.need, &timing.register_writes, &timing.flag_writes}) *set = set->in_one_word();
  }
  return true;
}

std::vector<InstructionTiming> timing_of(const Kernel& kernel, const SmSpec& spec) {
  std::vector<InstructionTiming> table;
  table.reserve(kernel.code.size());
  for (const Instruction& instruction : kernel.code) table.push_back(timing_of(instruction, spec));
  return table;
}

}  // namespace teslasim
