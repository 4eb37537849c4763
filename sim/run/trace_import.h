// SPDX-License-Identifier: Apache-2.0
// Traces of another simulator as ours: approximate, and labelled so.
//
// Each static instruction becomes a stand-in of its class (sim/trace/stand_in.h). Addresses of 64 bits are placed in
// 32, in pages of 64 KB by first touch, so that order and distance within a page stay. Blocks in z follow those in y.
// Lanes that did not execute count as not active. A warp ends with its last line.
#pragma once

#include <string>

#include "sim/run/console.h"

namespace teslasim {

/// Writes the launches of `input` to `output`. Prints what has no counterpart. Returns the exit code.
[[nodiscard]] int import_trace(const std::string& input, const std::string& output, const ConsoleOptions& console);

}  // namespace teslasim
