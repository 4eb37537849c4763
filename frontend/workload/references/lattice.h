// SPDX-License-Identifier: Apache-2.0
// The pattern of a sparse matrix as lattice quantum chromodynamics has it (Wilson's operator without its diagonal): 3x3
// blocks, 13 in each row of blocks, on a periodic lattice of L x L x L x L sites with four spins each. A row of blocks
// has the site's neighbours in both directions of three axes, each with its own spin and with another one, and one
// neighbour along the fourth axis with its own spin. Made after the matrix QCD of Williams et al. 2007: L = 8 gives its
// 49152 rows with 39 entries; the order of its rows is not known to us, here sites come in lexicographic order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace teslasim {

/// Column indices entry by entry: element k * rows + r belongs to entry k of row r (ELLPACK). Nothing when `count` is
/// not that of any lattice of at most 16^4 sites.
/// Of blocks: 13 entries for each of 4 L^4 rows of blocks.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> lattice_blocks(std::uint64_t count);
/// Of single entries: 39 for each of 12 L^4 rows.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> lattice_rows(std::uint64_t count);

}  // namespace teslasim
