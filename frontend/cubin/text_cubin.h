// SPDX-License-Identifier: Apache-2.0
// Text cubins: what nvcc wrote before its cubins became ELF files (CUDA 1.0 to 2.3, abiversion 0 and 1).
//
// One `code` block per kernel with its resources, words and compiler literals (bank c1), `consts` blocks for user
// constants (c0), `reloc` blocks for the addresses of device variables (c14, their bytes stay 0), `sampler` blocks for
// texture references. Unknown blocks and fields are skipped. Errors: InputError with every problem of the file: syntax,
// missing or impossible values, sizes that do not match, words that do not decode (ISA-UNKNOWN-OP lists them all).
// Sources: the format as decuda reads it (van der Laan 2008) and the cubins of its test suite.
#pragma once

#include <string>
#include <string_view>

#include "frontend/read_options.h"
#include "isa/program.h"

namespace teslasim {

/// True for text that starts as a text cubin does.
[[nodiscard]] bool looks_like_text_cubin(std::string_view text);

[[nodiscard]] Module read_text_cubin(const std::string& path, std::string_view text, const ReadOptions& options = {});

/// Throws InputError when an instruction cannot be encoded for the module's level.
[[nodiscard]] std::string write_text_cubin(const Module& module);

}  // namespace teslasim
