// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/references/lattice.h"

#include <algorithm>
#include <array>

namespace teslasim {
namespace {

constexpr std::uint32_t axes = 4, spins = 4, colours = 3, entries = 13, largest_extent = 16;

struct Lattice {
  std::uint32_t extent = 0;
  [[nodiscard]] std::uint32_t sites() const { return extent * extent * extent * extent; }
  [[nodiscard]] std::uint32_t rows() const { return sites() * spins; }

  [[nodiscard]] std::uint32_t neighbour(std::uint32_t site, std::uint32_t axis, std::uint32_t steps) const {
    std::uint32_t unit = 1;
    for (std::uint32_t i = 0; i < axis; ++i) unit *= extent;
    const std::uint32_t at = site / unit % extent;
    return site + ((at + steps) % extent) * unit - at * unit;
  }

  /// Columns of one row of blocks, ascending.
  [[nodiscard]] std::array<std::uint32_t, entries> columns(std::uint32_t row) const {
    const std::uint32_t site = row / spins, spin = row % spins;
    std::array<std::uint32_t, entries> found{};
    std::size_t count = 0;
    for (std::uint32_t axis = 0; axis + 1 < axes; ++axis) {
      const std::uint32_t partner = axis < 2 ? spins - 1 - spin : (spin + 2) % spins;
      for (const std::uint32_t steps : {1U, extent - 1}) {
        const std::uint32_t there = neighbour(site, axis, steps) * spins;
        found.at(count++) = there + spin;
        found.at(count++) = there + partner;
      }
    }
    found.at(count) = neighbour(site, axes - 1, spin < 2 ? 1U : extent - 1) * spins + spin;
    std::sort(found.begin(), found.end());
    return found;
  }
};

std::optional<Lattice> lattice_of(std::uint64_t rows_of_blocks) {
  for (std::uint32_t extent = 3; extent <= largest_extent; ++extent) {
    const Lattice lattice{extent};
    if (lattice.rows() == rows_of_blocks) return lattice;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> lattice_blocks(std::uint64_t count) {
  const std::optional<Lattice> lattice = count % entries == 0 ? lattice_of(count / entries) : std::nullopt;
  if (!lattice) return std::nullopt;
  std::vector<std::uint32_t> result(count);
  for (std::uint32_t row = 0; row < lattice->rows(); ++row) {
    const auto columns = lattice->columns(row);
    for (std::uint32_t k = 0; k < entries; ++k) result[std::size_t{k} * lattice->rows() + row] = columns.at(k);
  }
  return result;
}

std::optional<std::vector<std::uint32_t>> lattice_rows(std::uint64_t count) {
  constexpr std::uint64_t in_block = std::uint64_t{colours} * colours;
  const std::optional<std::vector<std::uint32_t>> blocks =
      count % in_block == 0 ? lattice_blocks(count / in_block) : std::nullopt;
  if (!blocks) return std::nullopt;
  const std::size_t block_rows = blocks->size() / entries, rows = block_rows * colours;
  std::vector<std::uint32_t> result(count);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < std::size_t{entries} * colours; ++k) {
      const std::uint32_t block = (*blocks)[k / colours * block_rows + row / colours];
      result[k * rows + row] = block * colours + static_cast<std::uint32_t>(k % colours);
    }
  }
  return result;
}

}  // namespace teslasim
