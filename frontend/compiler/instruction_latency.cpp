// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/instruction_latency.h"

#include <algorithm>

namespace teslasim::compiler {
namespace {

constexpr LatencyCycles arithmetic = 24, special = 42, double_precision = 66, shared_word = 36, constant_word = 20,
                        device_memory = least_far_latency, guard = 30, routine = 600;

bool reads_shared(const Instruction& i) {
  return i.source[0].kind == Operand::Kind::shared;
}

}  // namespace

bool is_far_load(const Instruction& i) {
  return i.opcode == Opcode::load_global || i.opcode == Opcode::load_local || i.opcode == Opcode::tex ||
         i.opcode == Opcode::atom;
}

LatencyCycles result_latency(const Instruction& i) {
  if (is_far_load(i)) return device_memory;
  if (i.opcode == Opcode::call) return routine;
  if (i.opcode == Opcode::load_constant) return arithmetic + constant_word;
  switch (i.unit()) {
    case UnitClass::sfu:
      return special;
    case UnitClass::dp:
      return double_precision;
    default:
      return reads_shared(i) ? shared_word : arithmetic;
  }
}

LatencyCycles flags_latency(const Instruction& i) {
  return std::max(guard, result_latency(i));
}

}  // namespace teslasim::compiler
