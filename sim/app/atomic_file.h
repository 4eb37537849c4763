// SPDX-License-Identifier: Apache-2.0
// Files that are either complete or absent: written under another name beside their place, then renamed.
#pragma once

#include <string>
#include <string_view>

namespace teslasim {

/// Throws InputError (environment, FILE-WRITE) with the reason when the file cannot be written.
void write_file(const std::string& path, std::string_view content);

/// The error that `write_file` throws, for other writers. `reason` is the system's text.
[[noreturn]] void write_error(const std::string& path, const std::string& reason);

}  // namespace teslasim
