// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/operation.h"

#include <algorithm>
#include <cstring>

namespace teslasim {

namespace {

using Kind = Operand::Kind;

class Preparer {
 public:
  explicit Preparer(const Launch& launch) : launch_(launch), registers_(launch.kernel->registers) {
    table_.fixed_rows.resize(zero_rows);
  }

  OperationTable run() {
    unsigned last_address = 0;
    for (const Instruction& instruction : launch_.kernel->code) {
      table_.operations.push_back(prepare_one(instruction));
      last_address = std::max(last_address, last_address_register(instruction));
    }
    table_.warp_rows = std::max(1U, registers_ + (last_address == 0 ? 0 : last_address + 1));
    return std::move(table_);
  }

 private:
  std::uint32_t fixed_row(std::uint32_t value) {
    LaneRow row;
    row.lane.fill(value);
    table_.fixed_rows.push_back(row);
    return static_cast<std::uint32_t>((table_.fixed_rows.size() - 1) * warp_size);
  }

  /// The highest $a that an operand is or is relative to.
  static unsigned last_address_register(const Instruction& instruction) {
    unsigned last = 0;
    const auto look = [&last](const Operand& operand) {
      if (operand.kind == Kind::address) last = std::max<unsigned>(last, operand.index);
      last = std::max<unsigned>(last, operand.address_register);
    };
    std::for_each(instruction.source.begin(), instruction.source.end(), look);
    std::for_each(instruction.destination.begin(), instruction.destination.end(), look);
    return last;
  }

  /// Rows that an operand of this type takes: 64-bit operands name the first of two.
  static unsigned rows_of(ValueType type) { return std::max(1U, bytes_of(type) / 4); }

  SourcePlan source_register(const Operand& operand, ValueType type) const {
    SourcePlan plan;
    if (operand.index >= registers_) return plan;  // beyond the allocation: zero
    plan.base = RowBase::warp;
    plan.offset = operand.index * warp_size;
    if (operand.half != Operand::Half::full) plan.kind = SourcePlan::Kind::half;
    if (operand.index + rows_of(type) > registers_) plan.kind = SourcePlan::Kind::straddle;
    return plan;
  }

  SourcePlan source_address(unsigned index) const {
    SourcePlan plan;
    if (index == 0) return plan;  // $a0 reads 0
    plan.base = RowBase::warp;
    plan.offset = (registers_ + index) * warp_size;
    return plan;
  }

  /// A constant at a fixed address inside its bank has the same value all through the launch.
  SourcePlan source_constant(const Operand& operand, std::uint32_t mask, Operation& operation) {
    SourcePlan plan;
    plan.kind = SourcePlan::Kind::constant;
    plan.value_mask = mask;
    const auto& bank = launch_.constant_banks[operand.bank & 15U];
    const std::uint32_t address = static_cast<std::uint32_t>(operand.offset) & low_half;
    const unsigned bytes = bytes_of(operand.type);
    const bool inside = address + bytes <= bank.size() && address % bytes == 0;
    if (operand.address_register != 0 || operand.post_increment || !inside) return plan;
    std::uint32_t value = 0;
    std::memcpy(&value, bank.data() + address, bytes);
    if (is_signed(operand.type) && bytes < 4) {
      const unsigned unused = 32 - 8 * bytes;
      value = static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused);
    }
    plan.kind = SourcePlan::Kind::row;
    plan.offset = fixed_row(value & mask);
    operation.has_constant_access = true;
    operation.constant_address = address;
    return plan;
  }

  SourcePlan source(const Instruction& instruction, std::size_t position, Operation& operation) {
    const Operand& operand = instruction.source[position];
    const ValueType type = instruction.source_type[position];
    const std::uint32_t mask = bytes_of(type) == 2 ? low_half : ~0U;
    SourcePlan plan;
    switch (operand.kind) {
      case Kind::gpr:
        return source_register(operand, type);
      case Kind::address:
        return source_address(operand.index);
      case Kind::immediate:
        plan.offset = fixed_row(operand.immediate & mask);
        return plan;
      case Kind::constant:
        return source_constant(operand, mask, operation);
      case Kind::shared:
        plan.kind = SourcePlan::Kind::shared;
        plan.value_mask = mask;
        return plan;
      case Kind::special:
        plan.kind = SourcePlan::Kind::special;
        return plan;
      default:
        return plan;  // absent, flags (taken from the guard register), memory (own routes): a row of zeros
    }
  }

  DestinationPlan destination(const Instruction& instruction) const {
    const Operand& operand = instruction.destination[0];
    DestinationPlan plan;
    if (operand.kind == Kind::address && operand.index != 0) {
      plan.base = RowBase::warp;
      plan.offset = (registers_ + operand.index) * warp_size;
    }
    if (operand.kind != Kind::gpr || operand.index >= registers_) return plan;
    plan.base = RowBase::warp;
    plan.offset = operand.index * warp_size;
    if (operand.half != Operand::Half::full) plan.kind = DestinationPlan::Kind::half;
    if (operand.index + rows_of(operand.type) > registers_) plan.kind = DestinationPlan::Kind::straddle;
    return plan;
  }

  static Route route_of(const Instruction& instruction) {
    switch (instruction.opcode) {
      case Opcode::store_shared:
        return Route::store_shared;
      case Opcode::load_shared:
        return instruction.lock ? Route::lock_shared : Route::data_gathered;
      case Opcode::load_global:
      case Opcode::store_global:
      case Opcode::red:
      case Opcode::atom:
        return Route::global;
      case Opcode::load_local:
      case Opcode::store_local:
        return Route::local;
      case Opcode::tex:
        return Route::texture;
      default:
        return instruction.unit() == UnitClass::control ? Route::control : Route::data;
    }
  }

  Operation prepare_one(const Instruction& instruction) {
    Operation operation;
    operation.instruction = &instruction;
    operation.semantics = bind_semantics(instruction);
    if (instruction.predicated()) operation.condition = condition_function(instruction.condition);
    operation.route = route_of(instruction);
    operation.guard = instruction.guard_flags & 3U;
    const bool has_flags = instruction.form != Form::control_form;
    operation.join = has_flags && instruction.join;
    operation.exit = has_flags && instruction.exit;
    bool in_place = true;
    for (std::size_t i = 0; i < operation.source.size(); ++i) {
      operation.steps_address = operation.steps_address || instruction.source[i].post_increment;
      if (instruction.source[i].kind != Kind::none) operation.sources = static_cast<std::uint8_t>(i + 1);
      operation.source[i] = source(instruction, i, operation);
      in_place = in_place && operation.source[i].kind == SourcePlan::Kind::row;
    }
    operation.destination = destination(instruction);
    in_place = in_place && operation.destination.kind == DestinationPlan::Kind::row;
    if (operation.route == Route::data && !in_place) operation.route = Route::data_gathered;
    if (instruction.opcode == Opcode::mov) {
      constexpr LaneMask lane_of_every_quad = 0x11111111U;
      operation.written = ~((instruction.move().skipped_lanes & 0xfU) * lane_of_every_quad);
    }
    return operation;
  }

  const Launch& launch_;
  unsigned registers_;
  OperationTable table_;
};

}  // namespace

OperationTable prepare(const Launch& launch) {
  return Preparer(launch).run();
}

}  // namespace teslasim
