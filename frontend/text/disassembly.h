// SPDX-License-Identifier: Apache-2.0
// Programs as text, in the formats of `teslasim disasm`. What it prints in the formats decuda, annotated and assembly,
// `read_module` reads back to the same words, for every word that decodes.
//
// Stands for: decuda's listing (van der Laan 2008): address, words, text; constants after the code of a kernel.
// Not modelled: names of constants, contents of device variables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/program.h"

namespace teslasim {

enum class DisassemblyFormat : std::uint8_t {
  decuda,     ///< listing: address, words, text
  annotated,  ///< the same with a remark on each line: what it does, which parameter or literal it reads
  tsv,        ///< kernel, address, words, text; one line per instruction, with a head line
  assembly    ///< text for the assembler, raw words where text cannot say all
};

/// `only` names one kernel; empty: all.
[[nodiscard]] std::string disassembly(const Module& module, DisassemblyFormat format, const std::string& only = "");

/// A line for each kernel: registers, bytes of memory, barriers.
[[nodiscard]] std::string resource_usage(const Module& module);

/// The text of one instruction if the assembler makes the same words of it, else `d.u32` with the words and the text as
/// a comment.
[[nodiscard]] std::string exact_text(const Instruction& instruction, std::uint8_t sm, const Kernel* labels = nullptr);

/// Does the assembler make the words of `instruction` from `text`? Targets of branches are not compared when `text`
/// names a label.
[[nodiscard]] bool says_the_same(std::string_view text, const Instruction& instruction, std::uint8_t sm);

}  // namespace teslasim
