// SPDX-License-Identifier: Apache-2.0
// The one-screen text after a run: how long, how busy, where the issue slots went, which instructions, what to try.
// At most 100 columns. The biggest problem comes first; of several launches the longest one is shown in detail.
#pragma once

#include <cstdint>
#include <string>

#include "sim/report/result/result.h"

namespace teslasim {

enum class Bars : std::uint8_t { none, drawn };

[[nodiscard]] std::string summary(const Result& result, Bars bars);

inline constexpr std::size_t summary_width = 100;

}  // namespace teslasim
