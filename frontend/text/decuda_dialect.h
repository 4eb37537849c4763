// SPDX-License-Identifier: Apache-2.0
// The text that decuda writes for its own assembler (`decuda -o`), with what it is known to print wrongly put right.
//
// decuda 0.4 misreads some fields of the instruction words. Where its text still tells what the words were, the line is
// corrected; where it does not, the line is taken as it stands; both with a remark.
// Not modelled: the constants of `#.constseg` comments, which decuda's assembler ignores as well.
// Source: van der Laan 2008 (decuda), compared with the words of its own test programs.
#pragma once

#include <string>
#include <string_view>

namespace teslasim::text {

/// True for a file in that dialect: `.entry` with all four of `.lmem .smem .reg .bar`, no `.arch`, and nothing that
/// only our assembly has.
[[nodiscard]] bool looks_like_decuda(std::string_view text);

struct DecudaLine {
  std::string text;
  std::string remark;  ///< what was wrong, empty when the line was taken as it is
};

[[nodiscard]] DecudaLine corrected_decuda_line(std::string_view line);

}  // namespace teslasim::text
