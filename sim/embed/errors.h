// SPDX-License-Identifier: Apache-2.0
// From the exceptions within to those of the library.
#pragma once

#include <teslasim/error.h>

#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim::embed {

[[nodiscard]] std::vector<Message> messages_of(const std::vector<Diagnostic>& diagnostics);
[[noreturn]] void throw_error(ExitCode exit_code, const std::vector<Diagnostic>& diagnostics);

/// What `function` returns; InputError and InternalError come out as Error.
template <class Function>
auto translated(Function&& function) -> decltype(std::forward<Function>(function)()) {
  try {
    return std::forward<Function>(function)();
  } catch (const InputError& error) {
    throw_error(error.exit_code(), error.diagnostics());
  } catch (const InternalError& error) {
    Diagnostic problem;
    problem.code = "INTERNAL";
    problem.message = error.what();
    problem.help = "this is a bug in teslasim: please report it with the inputs of this run";
    throw_error(ExitCode::internal, {problem});
  }
}

}  // namespace teslasim::embed
