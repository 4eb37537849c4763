// SPDX-License-Identifier: Apache-2.0
// The value of a node whose arguments are constants.
#pragma once

#include <optional>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Of integer operations with one result, by the rules of the chip; nothing when it is not known now.
[[nodiscard]] std::optional<std::uint32_t> folded(const IrNode& node);

/// Do two numbers compare as `relations` say, as u32 or s32?
[[nodiscard]] bool holds(Relations relations, std::uint32_t left, std::uint32_t right, bool with_sign);

}  // namespace teslasim::compiler
