// SPDX-License-Identifier: Apache-2.0
// Ye 2009, eq. 1: what it costs to start a kernel.
#include "sim/model/analytical/analytical.h"

namespace teslasim {

void evaluate_launch_overhead(Evaluation& e) {
  e.require({"launch_base_ms", "launch_argument_ms", "launch_block_ms"});
  const double base = e.need("launch_base_ms");
  const double argument = e.need("launch_argument_ms");
  const double block = e.need("launch_block_ms");
  if (e.has("shader_ghz")) {
    constexpr double cycles_per_ms_and_ghz = 1e6;
    const double clock = e.need("shader_ghz") * cycles_per_ms_and_ghz;
    e.term("base_cycles", base * clock, "cycles", "launch of one block without arguments");
    e.term("argument_cycles", argument * clock, "cycles", "each argument");
    e.term("block_cycles", block * clock, "cycles", "each block");
  }
  e.require({"blocks", "arguments"});
  const double total = block * e.need("blocks") + argument * e.need("arguments") + base;
  e.term("overhead_ms", total, "ms", "added to the time of the kernel (eq. 1)");
  e.note("eq. 1 counts the first block twice: the base is defined for a kernel of one block");
}

}  // namespace teslasim
