// SPDX-License-Identifier: Apache-2.0
// The table of block replacement policies. A new policy is one file and one row here (and its name in gpu_spec.h).
#include <array>
#include <string>

#include "sim/base/diagnostic.h"
#include "sim/gpu/blocks/block_replacement/block_replacement.h"

namespace teslasim {
namespace {

constexpr std::array<BlockReplacementRow, 4> rows{{
    {"wave", "a new group of blocks when all of the one before have finished", make_wave},
    {"in_order", "slots are filled again in the order in which they were filled first", make_in_order},
    {"per_cta", "any slot is filled again as soon as it is free", make_per_cta},
    {"early", "as per_cta, already when half of the block's warps have finished", make_per_cta},
}};

}  // namespace

std::span<const BlockReplacementRow> block_replacements() {
  return rows;
}

std::unique_ptr<BlockReplacement> make_block_replacement(std::string_view name,
                                                         const BlockReplacementParameters& parameters) {
  for (const BlockReplacementRow& row : rows) {
    if (row.name == name) return row.make(parameters);
  }
  throw InternalError("no block replacement is called '" + std::string(name) + "'");
}

void BlockReplacement::released(unsigned sm, Femtoseconds) {
  throw InternalError("SM " + std::to_string(sm) + " gave a block's place back; only 'early' asks for that");
}

}  // namespace teslasim
