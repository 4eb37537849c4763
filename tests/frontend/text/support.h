// SPDX-License-Identifier: Apache-2.0
// Short ways to assemble a line or a kernel in tests.
#pragma once

#include <string>
#include <vector>

#include "isa/program.h"
#include "sim/base/diagnostic.h"

namespace teslasim::test {

/// The instruction of one line, for capability `sm`. Throws text::TextError when it is wrong.
[[nodiscard]] Instruction instruction(const std::string& line, unsigned sm = 13);
/// The message `CODE: message` of a wrong line, with `^column+length`; "" when it is right.
[[nodiscard]] std::string line_error(const std::string& line, unsigned sm = 13);
/// A kernel with this body.
[[nodiscard]] Kernel kernel(const std::string& body);
/// All diagnostics of a text; empty when it is right.
[[nodiscard]] std::vector<Diagnostic> diagnostics(const std::string& text);
/// `CODE@line:column+length` of each diagnostic.
[[nodiscard]] std::vector<std::string> places(const std::string& text);
/// The same for the warnings of a text that is accepted.
[[nodiscard]] std::vector<std::string> warned_places(const std::string& text);
/// The text that the caret of a diagnostic underlines.
[[nodiscard]] std::string underlined(const Diagnostic& diagnostic);

}  // namespace teslasim::test
