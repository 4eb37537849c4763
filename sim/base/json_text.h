// SPDX-License-Identifier: Apache-2.0
// JSON as text: how it is written, for every file and answer of the program, and what comes from outside before a
// library sees it.
#pragma once

#include <string>
#include <string_view>

namespace teslasim {

/// Of the number and the text of an exception of nlohmann's library.
[[nodiscard]] std::string json_problem_text(int number, std::string_view text);

/// `json` is a value of nlohmann's library (a template, so that the library stays in source files); `indent` -1 puts
/// everything on one line. Paths, arguments and names of binaries may be any bytes: what is not UTF-8 becomes U+FFFD
/// instead of ending the program.
template <class Json>
[[nodiscard]] std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// Why a document is not what was expected, in plain words: `error` is an exception of nlohmann's library.
template <class Exception>
[[nodiscard]] std::string json_problem(const Exception& error) {
  return json_problem_text(error.id, error.what());
}

/// The text up to the place where it nests deeper than any file of ours, all of it when it never does. What walks or
/// copies a document calls itself once per level, so that deep brackets would end the program; cut, they do not parse.
[[nodiscard]] std::string_view shallow_json(std::string_view text);

}  // namespace teslasim
