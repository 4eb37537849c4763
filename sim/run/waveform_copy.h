// SPDX-License-Identifier: Apache-2.0
// From the waveform that SystemC wrote to the file of the run.
#pragma once

#include <string>

namespace teslasim {

/// The file, gzip's format, without the date that SystemC writes into its head: equal runs have equal bytes.
[[nodiscard]] std::string compressed_waveform(const std::string& path);

}  // namespace teslasim
