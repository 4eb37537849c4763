// SPDX-License-Identifier: Apache-2.0
// Programs of all kinds of instructions for properties of an SM.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {

inline std::vector<Instruction> random_code() {
  const auto kinds = *rc::gen::container<std::vector<unsigned>>(24, rc::gen::inRange(0U, 9U));
  std::vector<Instruction> code;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto r = static_cast<unsigned>(1 + i % 7);
    const std::vector<Instruction> menu = {mad(r, r, 2, 3),    special(r, 2),    multiply(r, 2),
                                           shared_load(r),     constant_load(r), global_load(r, 5),
                                           global_store(r, 3), barrier(),        branch()};
    code.push_back(menu[kinds[i]]);
  }
  code.push_back(last());
  return code;
}

/// What an instruction touches: some accesses have conflicts.
inline void some_conflicts(unsigned warp, std::uint32_t instruction, WarpInst& out) {
  out.shared.uniform = (warp + instruction) % 3 == 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) out.shared.address[lane] = 16 * lane;
}

}  // namespace teslasim::testing
