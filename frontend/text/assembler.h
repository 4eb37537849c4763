// SPDX-License-Identifier: Apache-2.0
// Assembly text to a Module. The language is described in docs/assembly.md.
//
// Stands for: the assembler of decuda (van der Laan 2008), corrected, with symbols, repetition and macros.
// Errors: an InputError (exit code `input`) with everything that is wrong in the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/program.h"

namespace teslasim {

/// What a text may expand to: repetitions and macros can make a few lines endless.
struct AssemblerLimits {
  std::uint64_t lines = std::uint64_t{1} << 18;
  std::uint64_t characters = std::uint64_t{1} << 26;  ///< of lines in which something was replaced
};

/// `path` is used in messages and as Module::path.
[[nodiscard]] Module assemble_text(std::string_view text, const std::string& path = "<text>",
                                   const AssemblerLimits& limits = {});
/// Reads the file; a file that cannot be read is an InputError too.
[[nodiscard]] Module assemble_file(const std::string& path);

}  // namespace teslasim
