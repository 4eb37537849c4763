// SPDX-License-Identifier: Apache-2.0
// Which block slot of the GPU gets the next block: the policy interface, and the policies of block_replacements.def.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/types.h"

namespace teslasim {

/// Stands for what the block scheduler knows of the SMs' block slots. Blocks are dealt in the order of their
/// numbers, from 0; a policy says where the next one goes and from when. Contract: `take` is called only while `ready`
/// holds; `completed` once for each block that was taken, in the order in which the scheduler learns of it; `advance`
/// with times that never fall. Not modelled: resources other than block slots; `begin` sets the slots per SM for the
/// whole grid. Times: femtoseconds of simulated time.
class BlockReplacement {
 public:
  virtual ~BlockReplacement() = default;
  /// A new grid: no SM has a block, each has room for `ctas_per_sm`.
  virtual void begin(unsigned ctas_per_sm) = 0;
  /// The scheduler learns that `block` of SM `sm` has finished.
  virtual void completed(SmIndex sm, BlockIndex block, Femtoseconds now) = 0;
  /// A block of SM `sm` gave its place back before it finished (`early`).
  virtual void released(SmIndex sm, Femtoseconds now);
  /// Frees the slots whose time has come.
  virtual void advance(Femtoseconds now) = 0;
  /// The next block has a slot.
  [[nodiscard]] virtual bool ready() const = 0;
  /// Gives that slot to the next block; returns its SM.
  virtual SmIndex take() = 0;
  /// From the news that a block has finished until its slot can be given away again, at the earliest.
  [[nodiscard]] virtual Femtoseconds shortest() const { return 0; }
  /// Of so many blocks dealt one after the other, no two go to the same SM.
  [[nodiscard]] virtual unsigned apart() const { return 1; }
  /// When a slot gets free without a block finishing first; `never` if none does.
  [[nodiscard]] virtual Femtoseconds next_time() const = 0;
};

struct BlockReplacementParameters {
  std::vector<unsigned> order;   ///< SMs in the order in which they receive their first blocks
  Femtoseconds replacement = 0;  ///< from the news that a block has finished until its slot can be given away again
};

struct BlockReplacementRow {
  std::string_view name;  ///< value of the key gpu.cta_replacement
  std::string_view description;
  std::unique_ptr<BlockReplacement> (*make)(const BlockReplacementParameters& parameters);
};

[[nodiscard]] std::span<const BlockReplacementRow> block_replacements();
/// Precondition: `name` is in the table (the configuration was checked).
[[nodiscard]] std::unique_ptr<BlockReplacement> make_block_replacement(std::string_view name,
                                                                       const BlockReplacementParameters& parameters);

#define REPLACEMENT(name, make, description) \
  [[nodiscard]] std::unique_ptr<BlockReplacement> make(const BlockReplacementParameters& parameters);
#include "sim/gpu/blocks/block_replacement/block_replacements.def"
#undef REPLACEMENT

}  // namespace teslasim
