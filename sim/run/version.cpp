// SPDX-License-Identifier: Apache-2.0
#include "sim/run/version.h"

#include <fmt/core.h>
#include <spdlog/version.h>

#include <boost/version.hpp>
#include <nlohmann/json.hpp>

namespace teslasim {

std::string_view program_version() {
  return TESLASIM_VERSION;
}
std::string_view git_state() {
  return TESLASIM_GIT_STATE;
}
std::string_view build_type() {
  return TESLASIM_BUILD_TYPE;
}
std::string_view host_compiler() {
  return TESLASIM_COMPILER;
}
std::string_view systemc_version() {
  return TESLASIM_SYSTEMC;
}

std::string version_line() {
  return fmt::format("teslasim {} (git {}, {}, {}, C++{})", program_version(), git_state(), build_type(),
                     host_compiler(), __cplusplus / 100 % 100);
}

std::vector<std::pair<std::string, std::string>> library_versions() {
  return {{"boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
          {"spdlog", fmt::format("{}.{}.{}", SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH)},
          {"nlohmann-json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                        NLOHMANN_JSON_VERSION_PATCH)}};
}

}  // namespace teslasim
