// SPDX-License-Identifier: Apache-2.0
// The words of a PTX file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ptx/ptx_mistakes.h"
#include "frontend/ptx/ptx_tree.h"

namespace teslasim::ptx {

enum class PtxTokenKind : std::uint8_t {
  end,
  name,         ///< ld, %r1, $Lt_0_1, vectorAdd
  dotted,       ///< .global: `text` without the dot
  number,       ///< as written
  string,       ///< without its quotes
  punctuation,  ///< one character
};

struct PtxToken {
  PtxTokenKind kind = PtxTokenKind::end;
  std::string_view text;  ///< into the file
  PtxPlace place;
  bool glued = false;  ///< nothing stands between it and the token before
};

/// All tokens, the last of kind `end`. Characters that PTX does not have become mistakes. The tokens refer to `text`.
[[nodiscard]] std::vector<PtxToken> tokens_of(std::string_view text, std::vector<PtxMistake>& mistakes);

}  // namespace teslasim::ptx
