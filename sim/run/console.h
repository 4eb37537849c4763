// SPDX-License-Identifier: Apache-2.0
// Where text goes: results to stdout; errors, warnings and progress to stderr. What the user asked about colours,
// progress and how much is said.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/run/warnings.h"

namespace teslasim {

enum class Paint : std::uint8_t { plain, colours };
enum class ProgressStyle : std::uint8_t { none, tty, plain, json };

struct ConsoleOptions {
  bool quiet = false;
  unsigned verbosity = 0;
  Paint errors = Paint::plain;   ///< stderr
  Paint results = Paint::plain;  ///< stdout
  ProgressStyle progress = ProgressStyle::plain;
  std::vector<WarningRule> warnings;  ///< -W
};

/// Before anything is opened: a file must not get the number of a standard stream that was closed.
void keep_standard_streams();
/// Throws InputError (environment, FILE-WRITE) when it is lost: a full disk, a closed stdout.
void print_result(std::string_view text);
void print_notice(std::string_view text);
/// What a user who wants errors only (-q) does not want to know: nothing is printed behind `drop_remarks(true)`.
void print_remark(std::string_view text);
void drop_remarks(bool dropped);
/// Renders diagnostics on stderr, at most 20 of them.
void print_diagnostics(const std::vector<Diagnostic>& diagnostics, Paint paint);
/// `text` with "error[...]" and "warning[...]" at line starts in colour.
[[nodiscard]] std::string painted(const std::string& text);
/// Whether stdout is a terminal.
[[nodiscard]] bool results_on_terminal();
/// Configures the log channels of the libraries: stderr, level by `-v`.
void configure_log(unsigned verbosity);

}  // namespace teslasim
