// SPDX-License-Identifier: Apache-2.0
// Through which cycles an SM may run on alone.
#pragma once

#include "sim/sm/blocks/block_slots.h"
#include "sim/sm/memory/load_store_unit.h"
#include "sim/sm/sm_launch.h"

namespace teslasim {

/// What an SM waits for.
struct SmExpectations {
  const BlockSlots& blocks;
  const LoadStoreUnit& memory;
  bool lines;  ///< of instructions or constants
};

/// The first cycle for which a message may come that the SM does not know yet, at most `beyond.furthest`. Stands for no
/// hardware: docs/decisions/0100-going-on.md. Units: SM cycles.
[[nodiscard]] inline SmCycle first_unknown(const SmIncoming& link, const SmReach& beyond,
                                           const SmExpectations& expected) {
  const SmCycle sent_from = beyond.sent_from;
  SmCycle first = lesser(greater(sent_from + link.blocks, expected.blocks.next_vacancy()),
                         greater(sent_from + link.responses, expected.memory.next_answer()));
  first = lesser(first, beyond.furthest);
  if (expected.memory.backlog() != 0) first = lesser(first, sent_from + link.credits);
  return expected.lines ? lesser(first, sent_from + link.lines) : first;
}

}  // namespace teslasim
