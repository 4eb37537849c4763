// SPDX-License-Identifier: Apache-2.0
// TOML may nest without end: toml++ recurses for each part of a dotted key, and its tables when they are destroyed.
// Every text is asked here before it is parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostic.h"

namespace teslasim {

/// Tables and arrays within each other, counted with the parts of dotted keys.
inline constexpr unsigned deepest_toml_nesting = 100;

/// Where `text` goes deeper than that, with line and column; nothing when it does not. Never recurses, and agrees with
/// TOML up to the first mistake of a text, after which nothing is parsed.
[[nodiscard]] std::optional<SourceLocation> too_deep_toml(std::string_view text, const std::string& file);
/// What to say about it.
[[nodiscard]] std::string deep_toml_message();

}  // namespace teslasim
