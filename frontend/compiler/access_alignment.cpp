// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/access_alignment.h"

#include <string>

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

bool is_checked(const IrNode& node) {
  if (node.operation == Op::launch_word) return true;
  const bool memory = node.operation == Op::load || node.operation == Op::store || node.operation == Op::locked_atomic;
  const bool has_offset =
      node.space == IrSpace::shared || node.space == IrSpace::local || node.space == IrSpace::constant;
  return memory && has_offset && node.arguments[0].is_constant();
}

}  // namespace

ptx::PtxMistake misaligned(const ptx::PtxPlace& place, std::uint32_t address, unsigned bytes) {
  return {
      place, "PTX-ALIGN",
      "byte " + std::to_string(address) + " is no multiple of " + std::to_string(bytes) + ", the size of this access",
      "align the variable with .align, or read smaller parts"};
}

void check_alignment(const IrFunction& function, std::vector<ptx::PtxMistake>& mistakes) {
  for (const IrBlock& block : function.blocks) {
    for (const NodeIndex index : block.nodes) {
      const IrNode& node = function.nodes[index];
      if (!is_checked(node)) continue;
      const std::uint32_t base = node.operation == Op::launch_word ? 0 : node.arguments[0].constant;
      const unsigned bytes = bytes_of(node.type);
      if ((base + node.offset) % bytes != 0)
        mistakes.push_back(misaligned({node.ptx_line, 1, 1}, base + node.offset, bytes));
    }
  }
}

}  // namespace teslasim::compiler
