// SPDX-License-Identifier: Apache-2.0
// The table of block replacement policies: the rows of block_replacements.def.
#include <array>
#include <string>

#include "sim/base/diagnostic.h"
#include "sim/gpu/blocks/block_replacement/block_replacement.h"

namespace teslasim {
namespace {

constexpr std::array replacement_rows{
#define REPLACEMENT(name, make, description) BlockReplacementRow{#name, description, make},
#include "sim/gpu/blocks/block_replacement/block_replacements.def"
#undef REPLACEMENT
};

}  // namespace

std::span<const BlockReplacementRow> block_replacements() {
  return replacement_rows;
}

std::unique_ptr<BlockReplacement> make_block_replacement(std::string_view name,
                                                         const BlockReplacementParameters& parameters) {
  for (const BlockReplacementRow& row : replacement_rows) {
    if (row.name == name) return row.make(parameters);
  }
  throw InternalError("no block replacement is called '" + std::string(name) + "'");
}

void BlockReplacement::released(SmIndex sm, Femtoseconds) {
  throw InternalError("SM " + std::to_string(sm) + " gave a block's place back; only 'early' asks for that");
}

}  // namespace teslasim
