// SPDX-License-Identifier: Apache-2.0
// Numbers that are written correctly and are too large for the types that hold them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace teslasim {

/// What is wrong with `text` when it is spelled like a number that fits neither 64 bits nor a double: a sentence that
/// begins with the number. Nothing when it fits, or is no number.
[[nodiscard]] std::optional<std::string> number_out_of_range(std::string_view text);

/// The number at the end of `text`, as TOML spells them; may be empty.
[[nodiscard]] std::string_view number_at_end(std::string_view text);

}  // namespace teslasim
