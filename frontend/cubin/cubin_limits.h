// SPDX-License-Identifier: Apache-2.0
// What the hardware can hold; larger numbers in a cubin mean a damaged file. The banks that compilers use.
// Source: Kościelnicki, envytools documentation of the G80 family (register, shared, local and constant spaces).
#pragma once

#include <cstdint>

namespace teslasim::cubin {

inline constexpr std::uint32_t word_bytes = 4;

inline constexpr std::uint32_t most_registers = 128;
inline constexpr std::uint32_t most_shared = 16384;
inline constexpr std::uint32_t most_local = 65536;
inline constexpr std::uint32_t most_barriers = 16;
inline constexpr std::uint32_t most_constant = 65536;
inline constexpr std::uint32_t last_bank = 15;
inline constexpr std::uint32_t most_textures = 128;
inline constexpr std::uint32_t most_constant_in_all = 16U << 20U;  ///< keeps a damaged file from asking for all memory
inline constexpr std::uint32_t most_code_bytes = 1U << 24U;        ///< reach of a branch target

inline constexpr std::uint8_t user_bank = 0;         ///< `__constant__` variables
inline constexpr std::uint8_t literal_bank = 1;      ///< literals of a kernel
inline constexpr std::uint8_t relocation_bank = 14;  ///< addresses of `__device__` variables

}  // namespace teslasim::cubin
