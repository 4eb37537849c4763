// SPDX-License-Identifier: Apache-2.0
// The `.nv.info` sections of ELF cubins: lists of attributes by which the compiler tells the driver how to launch a
// kernel.
//
// An entry is (format u8, attribute u8, u16): format 4 is followed by a payload of that many bytes, format 3 has the
// value in the u16, format 2 in its low byte, format 1 none. Attributes of other generations are skipped.
// Sources: the attribute numbers as cuobjdump prints them (EIATTR_*), and cubins of CUDA 3 to 6.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace teslasim {

/// One kernel parameter as the attributes describe it.
struct ParameterAttribute {
  std::uint32_t ordinal = 0;
  std::uint32_t offset = 0;  ///< in the parameter block, which starts at s[0x10]
  std::uint32_t bytes = 0;
  bool exact = true;  ///< false: `bytes` includes the padding before the next parameter
};

struct TextureAttribute {
  std::uint32_t symbol = 0;
  std::uint32_t slot = 0;
};

struct LaunchAttributes {
  std::vector<ParameterAttribute> parameters;  ///< by ordinal
  std::optional<std::uint32_t> parameter_bytes;
  std::vector<TextureAttribute> textures;
  std::uint32_t most_threads = 0;  ///< per block; 0: not said
  /// Where and why the list cannot be read further; empty when it was read to its end.
  std::string problem;
  std::uint64_t problem_offset = 0;  ///< in the section
};

[[nodiscard]] LaunchAttributes read_launch_attributes(std::span<const std::uint8_t> section);

}  // namespace teslasim
