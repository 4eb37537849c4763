// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/occupancy_steps.h"

#include <algorithm>
#include <array>

#include "frontend/compiler/register_allocator.h"

namespace teslasim::compiler {
namespace {

constexpr unsigned warp = 32, most_blocks = 8;
constexpr std::array<unsigned, 6> usual_sizes{64, 128, 192, 256, 384, 512};

unsigned round_up(unsigned value, unsigned unit) {
  return (value + unit - 1) / unit * unit;
}

unsigned blocks_on_an_sm(unsigned registers, std::uint8_t sm, unsigned threads) {
  const bool second = sm >= 12;
  const unsigned file = second ? 16384 : 8192, unit = second ? 512 : 256, most_warps = second ? 32 : 24;
  const unsigned warps = (threads + warp - 1) / warp;
  const unsigned of_block = round_up(round_up(warps, 2) * warp * registers, unit);
  return std::min({most_blocks, most_warps / warps, file / of_block});
}

}  // namespace

unsigned registers_of_same_occupancy(unsigned registers, std::uint8_t sm, unsigned threads) {
  const auto loses = [&](unsigned more, unsigned size) {
    return blocks_on_an_sm(more, sm, size) < blocks_on_an_sm(registers, sm, size);
  };
  unsigned most = registers;
  while (most < most_general_registers) {
    const bool loss = threads != 0 ? loses(most + 1, threads)
                                   : std::any_of(usual_sizes.begin(), usual_sizes.end(),
                                                 [&](unsigned size) { return loses(most + 1, size); });
    if (loss) break;
    ++most;
  }
  return most;
}

unsigned registers_for_blocks(unsigned blocks, std::uint8_t sm, unsigned threads) {
  const unsigned wanted = std::min(blocks, blocks_on_an_sm(1, sm, threads));
  unsigned most = most_general_registers;
  while (most > 1 && blocks_on_an_sm(most, sm, threads) < wanted) --most;
  return most;
}

}  // namespace teslasim::compiler
