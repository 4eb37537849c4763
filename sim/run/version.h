// SPDX-License-Identifier: Apache-2.0
// What the program is: version, source state, compiler, libraries (cmake/BuildInfo.cmake).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace teslasim {

[[nodiscard]] std::string_view program_version();
[[nodiscard]] std::string_view git_state();
[[nodiscard]] std::string_view build_type();
[[nodiscard]] std::string_view host_compiler();
/// Version of the SystemC library it was built with.
[[nodiscard]] std::string_view systemc_version();
/// "teslasim 0.1.0 (git 1a2b3c4, Release, GNU 12.2.0, C++20)".
[[nodiscard]] std::string version_line();
/// Name and version of the libraries it was built with.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace teslasim
