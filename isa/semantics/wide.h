// SPDX-License-Identifier: Apache-2.0
// Lane functions compiled twice: for every host, and eight lanes at a time for hosts with AVX2.
//
// Stands for nothing in hardware. Both run the same source, and nothing in it lets a compiler change the result of a
// lane (no contraction, no reordering of floating-point operations), so they give the same bits. Which one runs is
// decided when an instruction is bound.
#pragma once

#include "isa/instruction.h"
#include "isa/semantics/float_wide.h"

#if defined(__x86_64__)
#define TESLASIM_WIDE_COPY __attribute__((target("avx2"), flatten))
#else
#define TESLASIM_WIDE_COPY
#endif

namespace teslasim::semantics {

/// `function` with everything that it calls, compiled once more.
template <Semantics function>
TESLASIM_WIDE_COPY void wide_copy(const Instruction& instruction, LaneContext& context) {
  function(instruction, context);
}

/// The copy that fits the host.
template <Semantics function>
[[nodiscard]] Semantics widest() {
  return wide_lanes() ? &wide_copy<function> : function;
}

}  // namespace teslasim::semantics
