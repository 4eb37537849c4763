// SPDX-License-Identifier: Apache-2.0
// Any file with code to a Module: the readers of this folder, chosen by what the file contains, not by its name.
//
// Knows: text cubins (`architecture {sm_10}`) and assembly text. ELF files are recognised and refused with the reason.
// Errors: InputError (exit code `input`): INPUT-FILE when the file cannot be read, INPUT-FORMAT when no reader knows
// it, and whatever the reader finds.
#pragma once

#include <string>
#include <string_view>

#include "isa/program.h"

namespace teslasim {

/// Reads the file at `path`.
[[nodiscard]] Module read_module(const std::string& path);

/// The same for bytes at hand; `path` is for messages and becomes Module::path.
[[nodiscard]] Module read_module_bytes(const std::string& path, std::string_view bytes);

/// What kind of file the bytes are, in words: "text cubin", "assembly", "ELF file", or empty when none.
[[nodiscard]] std::string_view kind_of_module(std::string_view bytes);

}  // namespace teslasim
