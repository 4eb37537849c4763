// SPDX-License-Identifier: Apache-2.0
// How PTX writes types, state spaces and linkage: one row each.
#pragma once

#include <optional>
#include <string_view>

#include "frontend/ptx/ptx_tree.h"

namespace teslasim::ptx {

/// Of a word without its dot; nothing when it is no such name.
[[nodiscard]] std::optional<PtxType> type_of_word(std::string_view word);
[[nodiscard]] std::optional<PtxSpace> space_of_word(std::string_view word);
[[nodiscard]] std::optional<PtxLinkage> linkage_of_word(std::string_view word);

/// Without the dot; "" of `none`.
[[nodiscard]] std::string_view word_of(PtxType type);
[[nodiscard]] std::string_view word_of(PtxSpace space);
[[nodiscard]] std::string_view word_of(PtxLinkage linkage);

}  // namespace teslasim::ptx
