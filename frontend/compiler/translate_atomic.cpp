// SPDX-License-Identifier: Apache-2.0
// Atomic operations: on device memory instructions of the chip (sm_11), on shared memory a loop around a lock (sm_12).
#include <utility>

#include "frontend/compiler/translation.h"
#include "isa/names.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOperand;
using ptx::PtxSpace;
using ptx::PtxSymbol;
using ptx::PtxType;
using Op = IrOperation;

AtomicOperation operation_of(const Translation& t) {
  for (const std::string& word : t.instruction.modifiers) {
    if (const auto operation = parse_atomic(word)) return *operation;
  }
  return AtomicOperation::add;
}

/// LLVM makes `or` of an addition of nothing, which the chip does not have for 64 bits.
bool changes_nothing(const Translation& t, AtomicOperation operation) {
  if (operation != AtomicOperation::logic_or && operation != AtomicOperation::logic_xor) return false;
  const IrPair value = t.values.read_pair(t.instruction.operands.back());
  return value.low == constant_argument(0) && value.high == constant_argument(0);
}

/// Says why not; nothing when the chip can do it.
bool refused(const Translation& t, AtomicOperation operation) {
  const bool shared = t.form.space == PtxSpace::shared, wide = is_wide(t.type());
  const unsigned needed = shared || wide ? 12 : 11;
  if (t.type() == PtxType::f32 && operation != AtomicOperation::exch) {
    t.unsupported("atomic arithmetic on f32 needs compute capability 2.0", "loop around atomicCAS on the bits");
  } else if (t.options.sm < needed) {
    t.unsupported("this atomic operation needs sm_" + std::to_string(needed), help_for_level(needed));
  } else if (shared && wide) {
    t.unsupported("64-bit atomics on shared memory need compute capability 2.0");
  } else if (wide && operation != AtomicOperation::add && operation != AtomicOperation::exch &&
             operation != AtomicOperation::cas) {
    t.unsupported("64-bit atomics are add, exch and cas");
  } else {
    return false;
  }
  return true;
}

}  // namespace

void translate_atomic(const Translation& t) {
  const bool returns = t.form.opcode() == ptx::PtxOpcode::atomic;
  const std::size_t at = returns ? 1 : 0;
  IrNode node;
  node.atomic = operation_of(t);
  const bool wide = is_wide(t.type());
  if (wide && changes_nothing(t, node.atomic)) node.atomic = AtomicOperation::add;
  if (refused(t, node.atomic)) return;
  node.type = wide ? ValueType::u64 : is_signed_type(t.type()) ? ValueType::s32 : ValueType::u32;
  node.operation = t.form.space == PtxSpace::shared ? Op::locked_atomic : Op::atomic;
  node.space = t.form.space == PtxSpace::shared   ? IrSpace::shared
               : t.form.space == PtxSpace::global ? IrSpace::global
                                                  : IrSpace::generic;
  const PtxOperand& place = t.operand(at);
  node.offset = static_cast<std::uint32_t>(place.constant.bits);
  IrArgument base = constant_argument(0);
  if (!place.name.empty()) {
    const PtxSymbol symbol = t.values.symbol(place.name);
    PtxOperand plain = place;
    plain.kind = PtxOperand::Kind::name;
    base = symbol.is_register() ? t.values.read(plain) : t.values.address_of(*symbol.variable, 0);
  }
  node.arguments.push_back(base);
  for (std::size_t i = at + 1; i < t.instruction.operands.size(); ++i) {
    const IrPair value = t.values.read_pair(t.operand(i));
    node.arguments.push_back(value.low);
    if (wide) node.arguments.push_back(value.high);
  }
  const std::vector<ValueIndex> results = t.ir.append(std::move(node), wide ? 2 : 1).results;
  if (!returns) return;
  if (!wide) return t.values.write(t.operand(0), value_argument(results[0]));
  t.values.write_pair(t.operand(0), {value_argument(results[0]), value_argument(results[1])});
}

}  // namespace teslasim::compiler
