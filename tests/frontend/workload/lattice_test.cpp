// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/references/lattice.h"

#include <gtest/gtest.h>

#include <set>

namespace teslasim {
namespace {

constexpr std::uint64_t sites = 256, blocks = 4 * sites, entries = 13;  // L = 4

TEST(Lattice, has_the_counts_of_the_matrix_it_is_made_after) {
  EXPECT_TRUE(lattice_rows(std::uint64_t{39} * 49152)) << "L = 8: the rows and entries of QCD";
  EXPECT_TRUE(lattice_blocks(entries * blocks));
  EXPECT_FALSE(lattice_blocks(entries * blocks + 1));
  EXPECT_FALSE(lattice_blocks(0));
  EXPECT_FALSE(lattice_blocks(std::uint64_t{1} << 40));
}

TEST(Lattice, rows_have_different_columns_in_order) {
  const std::vector<std::uint32_t> columns = *lattice_blocks(entries * blocks);
  for (std::size_t row = 0; row < blocks; ++row) {
    for (std::size_t k = 0; k < entries; ++k) {
      EXPECT_LT(columns[k * blocks + row], blocks);
      if (k > 0) {
        EXPECT_LT(columns[(k - 1) * blocks + row], columns[k * blocks + row]);
      }
    }
  }
}

/// Neighbours are mutual along three axes; along the fourth, forward for two spins and backward for the others.
TEST(Lattice, twelve_of_thirteen_links_are_mutual) {
  const std::vector<std::uint32_t> columns = *lattice_blocks(entries * blocks);
  std::set<std::pair<std::size_t, std::size_t>> links;
  for (std::size_t row = 0; row < blocks; ++row) {
    for (std::size_t k = 0; k < entries; ++k) links.emplace(row, columns[k * blocks + row]);
  }
  std::size_t mutual = 0;
  for (const auto& [from, to] : links) mutual += links.contains({to, from}) ? 1U : 0U;
  EXPECT_EQ(blocks * 12, mutual);
}

TEST(Lattice, rows_are_those_of_their_blocks) {
  const std::vector<std::uint32_t> columns = *lattice_blocks(entries * blocks),
                                   rows = *lattice_rows(9 * entries * blocks);
  const std::size_t count = 3 * blocks;
  EXPECT_EQ(3 * columns[5 * blocks + 7] + 2, rows[(3 * 5 + 2) * count + 3 * 7 + 1]);
}

}  // namespace
}  // namespace teslasim
