// SPDX-License-Identifier: Apache-2.0
// Comma-separated values as in RFC 4180, with line feeds alone as line ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// A field: quoted when it contains a comma, a quote or a line end; quotes are doubled.
[[nodiscard]] std::string csv_field(std::string_view text);
/// The fields joined by commas, ending in a newline.
[[nodiscard]] std::string csv_row(const std::vector<std::string>& fields);

}  // namespace teslasim
