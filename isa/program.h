// SPDX-License-Identifier: Apache-2.0
// A kernel: its code and the resources it declares; a module: the kernels of one file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/instruction.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

/// Shared memory of a block begins with its launch header: grid and block dimensions and the block's place, in 16-bit
/// words (van der Laan 2008, decuda). The parameters follow.
inline constexpr std::uint32_t launch_header_bytes = 16;

/// A kernel parameter; offset counts from the first parameter. Hand-written kernels declare name and type
/// (`.param u32 n`); binaries tell the size alone: names are then p0, p1... and the type is `none` when no type has the
/// size (a struct).
struct Parameter {
  std::string name;
  ValueType type = ValueType::u32;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;  ///< 0: the size of `type`
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

/// Four bytes of a device variable that receive the address of one when the program is loaded.
struct VariableAddress {
  std::uint32_t offset = 0;
  std::size_t variable = 0;  ///< index into Module::variables
  std::uint32_t addend = 0;
};

/// A variable in device memory that belongs to the program (`__device__`), with the bytes that it starts with.
struct DeviceVariable {
  std::string name;
  std::uint64_t bytes = 0;
  std::vector<std::uint8_t> contents;        ///< at most `bytes`; the rest starts as 0
  std::vector<VariableAddress> addresses{};  ///< within `contents`
};

/// Four bytes of a constant bank that receive the address of a device variable when the program is loaded.
struct AddressSlot {
  std::uint8_t bank = 14;
  std::uint32_t offset = 0;
  std::size_t variable = 0;  ///< index into Module::variables
  std::uint32_t addend = 0;
};

struct Kernel {
  std::string name;
  std::vector<Instruction> code;   ///< in address order; `pc` of each is its byte offset
  std::uint32_t registers = 0;     ///< per thread
  std::uint32_t shared_bytes = 0;  ///< static, including the 16-byte header and the parameters
  std::uint32_t local_bytes = 0;   ///< per thread
  std::uint32_t barriers = 0;
  std::uint32_t most_threads = 0;               ///< per block, as __launch_bounds__ promises; 0: nothing is promised
  std::vector<Parameter> parameters;            ///< empty when unknown (text cubins)
  bool parameters_named = true;                 ///< false: the file tells sizes, not names
  std::vector<AddressSlot> address_slots;       ///< where addresses of Module::variables are wanted
  std::vector<ConstantSegment> constants;       ///< bank c1 of this kernel
  std::map<std::uint32_t, std::string> labels;  ///< byte offset -> name
};

/// Whether the kernel has instructions for units of a class.
[[nodiscard]] bool needs_unit(const Kernel& kernel, UnitClass unit);

/// Finishes every instruction for the kernel's register count. Sets `index` from `pc` and `target_index` from `target`
/// (`no_index` where no instruction starts). Precondition: `pc` and `bytes` are set.
void finish_kernel(Kernel& kernel);

struct Module {
  std::string path;
  std::uint8_t sm = 10;  ///< 10..13: the instruction set level the code was made for
  std::vector<Kernel> kernels;
  std::vector<ConstantSegment> constants;  ///< user constants (bank c0), shared by all kernels
  std::vector<TextureReference> textures;
  std::vector<DeviceVariable> variables;
  std::vector<std::string> source_lines;    ///< text of the file for excerpts; empty for binaries
  bool compiled = false;                    ///< the text is of another language: CUDA C, PTX
  std::vector<std::string> included_files;  ///< of the user, that the code was made of beside `path`
  std::string container;                    ///< kind of file in words: "text cubin", "64-bit ELF cubin", "assembly"
  std::vector<std::string> images;          ///< what was found in a file with several programs, one line each
  std::vector<Diagnostic> warnings;
};

}  // namespace teslasim
