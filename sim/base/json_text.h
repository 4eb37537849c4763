// SPDX-License-Identifier: Apache-2.0
// JSON that comes from outside, before a library sees it.
#pragma once

#include <string_view>

namespace teslasim {

/// The text up to the place where it nests deeper than any file of ours, all of it when it never does. What walks or
/// copies a document calls itself once per level, so that deep brackets would end the program; cut, they do not parse.
[[nodiscard]] std::string_view shallow_json(std::string_view text);

}  // namespace teslasim
