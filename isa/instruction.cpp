// SPDX-License-Identifier: Apache-2.0
// Derived facts of an instruction: operand types and register sets.
#include "isa/instruction.h"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "isa/program.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

using Kind = Operand::Kind;

bool is_memory(Kind kind) {
  return kind == Kind::shared || kind == Kind::constant || kind == Kind::local || kind == Kind::global;
}

bool is_wide(ValueType type) {
  return bytes_of(type) >= 8;
}

/// How the operation reads source `position` when the producer did not say.
ValueType default_source_type(const Instruction& instruction, std::size_t position) {
  switch (instruction.opcode) {
    case Opcode::slct:
      return position == 2 ? ValueType::f32 : ValueType::b32;
    case Opcode::mad:
    case Opcode::sad:
      return position == 2 ? ValueType::u32 : instruction.type;
    case Opcode::mov_from_flags:
    case Opcode::mov_from_address:
    case Opcode::mov_from_special:
    case Opcode::mov_to_flags:
    case Opcode::shift_to_address:
    case Opcode::add_address:
      return ValueType::b32;
    case Opcode::fset:
      return ValueType::f32;
    case Opcode::dset:
      return ValueType::f64;
    case Opcode::store_shared:
      return instruction.source[0].half == Operand::Half::full ? ValueType::b32 : ValueType::b16;
    case Opcode::store_global:
    case Opcode::store_local:
      return is_wide(instruction.type) ? instruction.type : ValueType::b32;
    case Opcode::tex:
      return instruction.texture().texel_fetch ? ValueType::s32 : ValueType::f32;
    default:
      return instruction.type;
  }
}

ValueType destination_type(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::convert_int_int:
    case Opcode::convert_int_float:
    case Opcode::convert_float_int:
    case Opcode::convert_float_float:
      return instruction.type;
    case Opcode::sad:
    case Opcode::fset:
    case Opcode::dset:
      return ValueType::u32;
    case Opcode::mov_from_flags:
    case Opcode::mov_from_address:
    case Opcode::mov_from_special:
    case Opcode::shift_to_address:
    case Opcode::add_address:
      return ValueType::b32;
    case Opcode::load_global:
    case Opcode::load_local:
      return is_wide(instruction.type) ? instruction.type : ValueType::b32;
    default:
      return instruction.type;
  }
}

void fill_types(Instruction& instruction) {
  Operand& destination = instruction.destination[0];
  if (destination.kind != Kind::none) destination.type = destination_type(instruction);
  for (std::size_t i = 0; i < instruction.source.size(); ++i) {
    Operand& operand = instruction.source[i];
    if (operand.kind == Kind::none) {
      instruction.source_type[i] = ValueType::none;
      continue;
    }
    if (instruction.source_type[i] == ValueType::none) instruction.source_type[i] = default_source_type(instruction, i);
    const bool access_is_given = operand.kind == Kind::shared || operand.kind == Kind::local ||
                                 operand.kind == Kind::global || instruction.opcode == Opcode::load_constant;
    if (!access_is_given) operand.type = instruction.source_type[i];
  }
}

/// Collects the registers of one instruction, leaving out those the kernel does not have.
class RegisterCollector {
 public:
  explicit RegisterCollector(unsigned registers) : registers_(std::min(registers, all_registers)) {}

  void read_registers(unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count; ++i) {
      if (i < registers_) data_reads_.add_register(i);
    }
  }
  void write_registers(unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count; ++i) {
      if (i < registers_) writes_.add_register(i);
    }
  }
  void read_flags(unsigned index) { other_reads_.add_flags(index); }
  void write_flags(unsigned index) { writes_.add_flags(index); }
  void read_address(unsigned index) {
    if (index != 0) other_reads_.add_address(index);
  }
  void write_address(unsigned index) {
    if (index != 0) writes_.add_address(index);
  }
  void read_memory_address(const Operand& operand) {
    if (operand.kind == Kind::global) {
      read_registers(operand.index, 1);
      return;
    }
    read_address(operand.address_register);
    if (operand.post_increment) write_address(operand.address_register);
  }
  void read_operand(const Operand& operand) {
    if (operand.kind == Kind::gpr) read_registers(operand.index, std::max(1U, bytes_of(operand.type) / 4));
    if (operand.kind == Kind::address) read_address(operand.index);
    if (operand.kind == Kind::flags) read_flags(operand.index);
    if (is_memory(operand.kind)) read_memory_address(operand);
  }
  void write_operand(const Operand& operand) {
    if (operand.kind == Kind::gpr) write_registers(operand.index, std::max(1U, bytes_of(operand.type) / 4));
    if (operand.kind == Kind::address) write_address(operand.index);
  }

  [[nodiscard]] unsigned data_registers() const {
    return static_cast<unsigned>(std::popcount(data_reads_.words[0]) + std::popcount(data_reads_.words[1]));
  }
  [[nodiscard]] RegisterSet reads() const {
    RegisterSet all = data_reads_;
    all.insert(other_reads_);
    return all;
  }
  [[nodiscard]] const RegisterSet& writes() const { return writes_; }

 private:
  unsigned registers_;
  RegisterSet data_reads_;
  RegisterSet other_reads_;
  RegisterSet writes_;
};

void collect_texture(const Instruction& instruction, RegisterCollector& collector) {
  collector.read_registers(instruction.source[0].index, instruction.texture().coordinates);
  collector.write_registers(instruction.destination[0].index,
                            static_cast<unsigned>(std::popcount(instruction.texture().result_mask)));
}

void collect(const Instruction& instruction, RegisterCollector& collector) {
  if (instruction.predicated() || instruction.reads_carry() || instruction.opcode == Opcode::vote)
    collector.read_flags(instruction.guard_flags);
  if (instruction.flag_destination >= 0) collector.write_flags(static_cast<unsigned>(instruction.flag_destination));
  if (instruction.opcode == Opcode::tex) {
    collect_texture(instruction, collector);
    return;
  }
  const std::size_t first = instruction.opcode == Opcode::logic_pass ? 1 : 0;  // the first source is ignored
  for (std::size_t i = first; i < instruction.source.size(); ++i) collector.read_operand(instruction.source[i]);
  collector.read_memory_address(instruction.store_target);
  collector.write_operand(instruction.destination[0]);
}

/// Everything that makes two instructions the same operation in the same form.
auto identity(const Instruction& i) {
  return std::tie(i.opcode, i.form, i.bytes, i.join, i.exit, i.condition, i.guard_flags, i.flag_destination,
                  i.destination, i.source, i.store_target, i.type, i.source_type, i.rounding, i.saturate,
                  i.round_to_integer, i.high, i.product_24, i.mad_operation, i.compare, i.lock, i.sfu_hint);
}

/// With what was not set filled in; a mistake of ours when they are of another kind of operation.
InstructionDetails complete_details(const Instruction& instruction) {
  InstructionDetails usual = usual_details(instruction.opcode);
  if (std::holds_alternative<std::monostate>(instruction.details)) return usual;
  if (instruction.details.index() != usual.index()) refuse_details(instruction.opcode);
  return instruction.details;
}

std::uint32_t index_at(const Kernel& kernel, std::uint32_t pc) {
  const auto found = std::lower_bound(kernel.code.begin(), kernel.code.end(), pc,
                                      [](const Instruction& left, std::uint32_t right) { return left.pc < right; });
  if (found == kernel.code.end() || found->pc != pc) return no_index;
  return static_cast<std::uint32_t>(found - kernel.code.begin());
}

}  // namespace

bool has_target(Opcode opcode) {
  return opcode == Opcode::bra || opcode == Opcode::call || opcode == Opcode::breakaddr || opcode == Opcode::joinat;
}

InstructionDetails usual_details(Opcode opcode) {
  if (has_target(opcode)) return BranchDetails{};
  switch (opcode) {
    case Opcode::mov:
      return MoveDetails{};
    case Opcode::vote:
      return VoteDetails{};
    case Opcode::slct:
      return SelectDetails{};
    case Opcode::quadop:
      return QuadDetails{};
    case Opcode::red:
    case Opcode::atom:
      return AtomicDetails{};
    case Opcode::tex:
      return TextureDetails{};
    case Opcode::bar:
      return BarrierDetails{};
    case Opcode::pmevent:
      return PerformanceEventDetails{};
    default:
      return std::monostate{};
  }
}

void refuse_details(Opcode opcode) {
  throw InternalError("instruction '" + std::string(info(opcode).name) + "' has details of another operation");
}

bool Instruction::ignores_condition() const {
  switch (opcode) {
    case Opcode::call:
    case Opcode::breakaddr:
    case Opcode::joinat:
    case Opcode::bar:
    case Opcode::trap:
    case Opcode::quadon:
    case Opcode::quadpop:
    case Opcode::nop:
    case Opcode::pmevent:
    case Opcode::vote:
      return true;
    default:
      return false;
  }
}

void finish(Instruction& instruction, unsigned registers) {
  instruction.details = complete_details(instruction);
  fill_types(instruction);
  RegisterCollector collector(registers);
  collect(instruction, collector);
  instruction.reads = collector.reads();
  instruction.writes = collector.writes();
  instruction.operand_reads = static_cast<std::uint8_t>(collector.data_registers());
  const auto has_source = [&](Kind kind) {
    return std::any_of(instruction.source.begin(), instruction.source.end(),
                       [kind](const Operand& operand) { return operand.kind == kind; });
  };
  instruction.reads_shared_operand = has_source(Kind::shared);
  instruction.reads_constant_operand = has_source(Kind::constant);
}

bool needs_unit(const Kernel& kernel, UnitClass unit) {
  return std::any_of(kernel.code.begin(), kernel.code.end(),
                     [unit](const Instruction& instruction) { return instruction.unit() == unit; });
}

void finish_kernel(Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    Instruction& instruction = kernel.code[i];
    finish(instruction, kernel.registers);
    instruction.index = static_cast<std::uint32_t>(i);
    if (has_target(instruction.opcode))
      instruction.branch().target_index = index_at(kernel, instruction.branch().target);
  }
}

bool equivalent(const Instruction& left, const Instruction& right) {
  return identity(left) == identity(right) && complete_details(left) == complete_details(right);
}

std::uint8_t required_sm(const Instruction& instruction) {
  constexpr std::uint8_t sm_12 = 12;
  constexpr std::uint8_t sm_13 = 13;
  const bool wide = is_wide(instruction.type) || is_wide(instruction.source_type[0]);
  std::uint8_t level = instruction.row().first_sm;
  switch (instruction.opcode) {
    case Opcode::fmul:
      return instruction.saturate ? sm_12 : level;
    case Opcode::load_shared:
    case Opcode::store_shared:
      return instruction.lock ? sm_12 : level;
    case Opcode::red:
    case Opcode::atom:
      return wide ? sm_12 : level;
    case Opcode::convert_int_float:
    case Opcode::convert_float_int:
    case Opcode::convert_float_float:
      return wide ? sm_13 : level;
    default:
      return level;
  }
}

}  // namespace teslasim
