// SPDX-License-Identifier: Apache-2.0
// Where the variables of a PTX module live: constant banks, device memory, texture slots; and for a kernel its
// parameters, shared and local memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/ptx/ptx_lexer.h"
#include "frontend/ptx/ptx_tree.h"
#include "isa/program.h"

namespace teslasim::compiler {

using PtxVariablePointer = const ptx::PtxVariable*;

/// Bytes of a variable with all of its elements; nothing for an array without a size.
[[nodiscard]] std::optional<std::uint64_t> bytes_of(const ptx::PtxVariable& variable);
[[nodiscard]] std::uint32_t alignment_of(const ptx::PtxVariable& variable);

/// What all kernels share.
struct ModuleLayout {
  std::unordered_map<PtxVariablePointer, std::uint32_t> constants{};  ///< byte in bank 0
  std::unordered_map<PtxVariablePointer, std::uint32_t> textures{};   ///< slot
  std::unordered_map<PtxVariablePointer, std::uint32_t> variables{};  ///< index into Module::variables
  std::vector<AddressSlot> address_slots{};                           ///< in constants, for every kernel
};

/// Places the variables of a module and fills `constants`, `textures` and `variables` of `result`.
[[nodiscard]] ModuleLayout lay_out(const ptx::PtxModule& module, Module& result,
                                   std::vector<ptx::PtxMistake>& mistakes);

/// Parameters, shared and local memory of one kernel. Bytes in shared memory count from the launch header.
struct KernelLayout {
  std::unordered_map<PtxVariablePointer, std::uint32_t> parameters{}, shared{}, local{};
  std::uint32_t shared_bytes = 0, local_bytes = 0;
};

/// `used`: the shared and local variables that the kernel and what it calls name, in the order of the text.
[[nodiscard]] KernelLayout lay_out(const ptx::PtxFunction& kernel, const std::vector<PtxVariablePointer>& used,
                                   Kernel& result, std::vector<ptx::PtxMistake>& mistakes);

}  // namespace teslasim::compiler
