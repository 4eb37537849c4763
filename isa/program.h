// SPDX-License-Identifier: Apache-2.0
// A kernel: its code and the resources it declares; a module: the kernels of one file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace teslasim {

/// A named kernel parameter, for hand-written kernels (`.param u32 n`); offset counts from the first parameter.
struct Parameter {
  std::string name;
  ValueType type = ValueType::u32;
  std::uint32_t offset = 0;
};

/// Bytes that a kernel wants in a constant bank before it starts.
struct ConstantSegment {
  std::uint8_t bank = 1;
  std::uint32_t offset = 0;
  std::vector<std::uint8_t> bytes;
  std::string name{};  ///< of the variable, when the file tells
};

/// A texture reference of the program and the texture slot that its instructions name.
struct TextureReference {
  std::string name;
  std::uint32_t slot = 0;
};

struct Kernel {
  std::string name;
  std::vector<Instruction> code;   ///< in address order; `pc` of each is its byte offset
  std::uint32_t registers = 0;     ///< per thread
  std::uint32_t shared_bytes = 0;  ///< static, including the 16-byte header and the parameters
  std::uint32_t local_bytes = 0;   ///< per thread
  std::uint32_t barriers = 0;
  std::vector<Parameter> parameters;            ///< empty when unknown (cubins)
  std::vector<ConstantSegment> constants;       ///< bank c1 of this kernel
  std::map<std::uint32_t, std::string> labels;  ///< byte offset -> name
};

/// Finishes every instruction for the kernel's register count and sets `index` and `target_index` from `pc` and
/// `target`
/// (`no_index` for a target where no instruction starts). `pc` and `bytes` must be set.
void finish_kernel(Kernel& kernel);

struct Module {
  std::string path;
  std::uint8_t sm = 10;  ///< 10..13: the instruction set level the code was made for
  std::vector<Kernel> kernels;
  std::vector<ConstantSegment> constants;  ///< user constants (bank c0), shared by all kernels
  std::vector<TextureReference> textures;
  std::vector<std::string> source_lines;  ///< assembly text for excerpts; empty for binaries
};

}  // namespace teslasim
