// SPDX-License-Identifier: Apache-2.0
// The frame of every page: head, style, the lists of the page that specifications of charts name with "@", chart
// libraries and script. One file without references to anything outside it.
#pragma once

#include <string>
#include <string_view>

namespace teslasim {

/// `body` is HTML; `lists` is a JSON object.
[[nodiscard]] std::string page_of(std::string_view title, std::string_view body, std::string_view lists);

}  // namespace teslasim
