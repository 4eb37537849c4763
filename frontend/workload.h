// SPDX-License-Identifier: Apache-2.0
// What to run: one or more launches of kernels, their buffers and parameters, and how to check the results.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/program.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

/// A device buffer and how it is filled before the first launch that names it.
struct BufferSpec {
  enum class Initialiser : std::uint8_t {
    zero,
    iota,
    random,
    constant,
    permutation,
    lattice_blocks,
    lattice_rows,
    file,
    contents
  };

  std::string name;
  ValueType type = ValueType::u32;
  std::uint64_t count = 0;
  Initialiser initialiser = Initialiser::zero;
  std::uint64_t seed = 0;
  double low = 0.0, high = 1.0;          ///< random: [low, high); integers: low <= x < high
  double value = 0.0;                    ///< constant
  std::uint64_t stride = 1;              ///< permutation: the cycle visits elements 0, stride, 2*stride...
  std::string file;                      ///< resolved path of a .npy or raw file
  std::uint64_t padding_bytes = 0;       ///< allocated after the contents (tiled images)
  std::vector<std::uint8_t> contents{};  ///< contents: the bytes it starts with, then zeros
  SourceLocation where;
};

/// One kernel parameter: a scalar, or the address of a buffer.
struct ParameterValue {
  std::string name;
  ValueType type = ValueType::u32;
  std::uint64_t bits = 0;             ///< scalar value
  std::optional<std::size_t> buffer;  ///< index into Workload::buffers when it is a pointer
  SourceLocation where;
};

/// An image and the texture slot that it is bound to.
struct TextureSpec {
  std::string name;
  std::uint32_t slot = 0;
  std::size_t buffer = 0;                      ///< index into Workload::buffers
  ValueType type = ValueType::f32;             ///< of one component: u8 s8 u16 s16 u32 s32 f16 f32
  unsigned components = 1;                     ///< 1, 2 or 4
  unsigned dimensions = 1;                     ///< 1 to 3
  std::array<std::uint32_t, 3> size{1, 1, 1};  ///< texels
  std::uint32_t pitch_bytes = 0;               ///< from row to row of a linear image
  bool tiled = false;                          ///< stored as the driver stores a CUDA array
  bool own_contents = false;                   ///< the buffer exists for this texture only
  bool linear_filter = false;
  bool normalised_coordinates = false;
  bool normalised_values = false;
  std::array<bool, 3> wrap{};  ///< else clamp
  SourceLocation where;

  [[nodiscard]] unsigned texel_bytes() const { return bytes_of(type) * components; }
  /// Bytes from the first to the last texel of a linear image.
  [[nodiscard]] std::uint64_t linear_bytes() const {
    const std::uint64_t rows = std::uint64_t{size[1]} * size[2];
    return (rows - 1) * pitch_bytes + std::uint64_t{size[0]} * texel_bytes();
  }
};

/// A check of one buffer after the last launch.
struct Expectation {
  std::string buffer;
  std::string builtin;                                         ///< name of a built-in reference, or empty
  std::vector<std::pair<std::string, std::string>> arguments;  ///< its arguments: parameter or buffer names
  std::string file;                                            ///< .npy or raw file, or empty
  double tolerance_absolute = 0.0;
  double tolerance_relative = 0.0;
  SourceLocation where;
};

struct LaunchSpec {
  std::string kernel;
  std::shared_ptr<const Module> module;
  std::array<std::uint32_t, 3> grid{1, 1, 1};  ///< z is 1 on compute capability 1.x
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<ParameterValue> parameters;  ///< in order; laid out with natural alignment from s[0x10]
  std::vector<ConstantSegment> constants;  ///< user constants, bank c0 by default
  std::vector<TextureSpec> textures;       ///< one per slot in use
  std::vector<std::size_t> variables{};    ///< for each of Module::variables: index into Workload::buffers
  SourceLocation where;

  [[nodiscard]] const Kernel& kernel_code() const;  ///< throws InternalError when `kernel` is not in `module`
  [[nodiscard]] std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  [[nodiscard]] std::uint32_t threads_per_block() const { return block[0] * block[1] * block[2]; }
  /// Bytes of parameters with natural alignment (4 for pointers), as stored from s[0x10] on.
  [[nodiscard]] std::uint32_t parameter_bytes() const;
};

struct Workload {
  std::string name;                ///< stem of the input: names the run directory
  std::vector<std::string> files;  ///< every file read, for inputs/ of the run directory
  std::vector<BufferSpec> buffers;
  std::vector<LaunchSpec> launches;
  std::vector<Expectation> expectations;
  std::vector<Diagnostic> warnings;
};

}  // namespace teslasim
