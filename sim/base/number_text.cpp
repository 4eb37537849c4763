// SPDX-License-Identifier: Apache-2.0
#include "sim/base/number_text.h"

#include <charconv>
#include <cmath>

namespace teslasim {

std::optional<double> finite_number(std::string_view text) {
  double value = 0.0;
  const char* const behind = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), behind, value);
  return error == std::errc{} && end == behind && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace teslasim
