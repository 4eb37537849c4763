// SPDX-License-Identifier: Apache-2.0
// Listings of `teslasim disasm` and of decuda as input: lines of address, words and text.
//
// The words are what counts: they are decoded, and the text beside them is only compared. decuda's text is known to be
// wrong for some instructions (registers of short forms, names of the launch header, slct, tex, the rounding of mad and
// others); where text and words differ, a warning lists the lines and says that the words were taken.
// A head line of `teslasim disasm` gives name and resources; without one the name is that of the file and the
// resources are what the code needs.
// Errors: InputError (exit code `input`): LISTING-LINE with every line that is not understood, and those of the
// decoder. Source: the listings of decuda (van der Laan 2008).
#pragma once

#include <string>
#include <string_view>

#include "frontend/read_options.h"
#include "isa/program.h"

namespace teslasim {

/// True for text whose lines begin with an address and instruction words.
[[nodiscard]] bool looks_like_listing(std::string_view text);

[[nodiscard]] Module read_listing(const std::string& path, std::string_view text, const ReadOptions& options = {});

}  // namespace teslasim
