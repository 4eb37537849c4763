// SPDX-License-Identifier: Apache-2.0
// Numbers in texts of the user.
#pragma once

#include <optional>
#include <string_view>

namespace teslasim {

/// The number that the whole `text` is. Nothing for other text, and for nan and infinities: a bound that is one of them
/// is met always or never.
[[nodiscard]] std::optional<double> finite_number(std::string_view text);

}  // namespace teslasim
