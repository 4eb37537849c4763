// SPDX-License-Identifier: Apache-2.0
// From the words of a kernel's code to its instructions, whatever container they came in.
//
// Decodes all words, names the targets of branches label0, label1, ... in address order, and collects everything that
// is wrong instead of stopping at the first: instructions that do not decode, targets outside the code or inside an
// instruction, a last instruction cut in half, long instructions at addresses that are not multiples of 8 (ReadOptions
// can allow those).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontend/read_options.h"
#include "isa/program.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

/// Words that mean nothing at the level of the file.
struct UnknownInstruction {
  std::uint32_t pc = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint8_t bytes = 8;
  std::uint8_t first_sm = 0;  ///< the level that knows them, 0 = none
};

struct DecodedCode {
  std::vector<Instruction> code;
  std::vector<UnknownInstruction> unknown;
  std::vector<std::uint32_t> bad_targets;  ///< addresses of instructions whose target is not an instruction
  std::vector<std::uint32_t> unaligned;    ///< addresses of long instructions that are not multiples of 8
  bool cut_short = false;                  ///< the second word of the last instruction is missing
};

/// `sm` is the level that the file names. Words that only the level of the machine knows are read as the machine reads
/// them; instructions that the machine (`machine_sm`, 0 = none in mind) does not have count as unknown.
[[nodiscard]] DecodedCode decode_code(std::span<const std::uint32_t> words, std::uint8_t sm,
                                      std::uint8_t machine_sm = 0);

/// Puts decoded code into `kernel`: instructions, labels, derived members. The kernel's resources must be set.
void adopt_code(Kernel& kernel, DecodedCode decoded);

/// Where words came from in the file, for messages.
struct CodePlace {
  std::string kernel;
  SourceLocation where;
  std::string excerpt;
};

/// One diagnostic per kind of problem, listing every place.
[[nodiscard]] std::vector<Diagnostic> problems_of(const DecodedCode& decoded, const CodePlace& place, std::uint8_t sm,
                                                  const ReadOptions& options = {});

/// The words of a kernel's code. Appends to `problems` when an instruction has none.
[[nodiscard]] std::vector<std::uint32_t> encode_code(const Kernel& kernel, std::uint8_t sm,
                                                     std::vector<Diagnostic>& problems);

}  // namespace teslasim
