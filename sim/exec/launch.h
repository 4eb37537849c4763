// SPDX-License-Identifier: Apache-2.0
// Everything a kernel needs to run once: code, shape, parameters, constants, memory. Immutable while it runs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/program.h"
#include "memory/image/texture.h"
#include "sim/base/types.h"

namespace teslasim {

class DeviceMemory;

struct Launch {
  const Kernel* kernel = nullptr;
  const Module* module = nullptr;  ///< for source excerpts in kernel errors
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t shared_bytes = 0;        ///< static (header and parameters included) + dynamic, per block
  std::vector<std::uint8_t> parameters;  ///< copied to s[0x10] of every block
  std::array<std::vector<std::uint8_t>, 16> constant_banks;  ///< reads beyond the end are kernel errors
  std::vector<Texture> textures;  ///< by slot; slots that are missing or not bound are kernel errors when used
  DeviceMemory* memory = nullptr;
  std::uint8_t machine_sm = 13;  ///< instruction set level of the machine, 10..13 (mul.sat needs 12)

  [[nodiscard]] std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  [[nodiscard]] unsigned threads_per_block() const { return block[0] * block[1] * block[2]; }
  [[nodiscard]] unsigned warps_per_block() const { return (threads_per_block() + warp_size - 1) / warp_size; }
};

}  // namespace teslasim
