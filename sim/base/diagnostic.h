// SPDX-License-Identifier: Apache-2.0
// What the user is told when something is wrong: one structure for every reader and every kernel error.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// Process exit codes; part of the user interface, never renumbered.
enum class ExitCode : int {
  done = 0,
  check_failed = 1,
  usage = 2,
  configuration = 3,
  input = 4,
  kernel = 5,
  stuck = 6,
  host_limit = 7,
  environment = 8,
  internal = 70,
  interrupted = 130,
  terminated = 143,
};

/// A place in a text file. Lines and columns count from 1; line 0 means "no line". `length` is the width of the caret.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 1;
};

/// One message: `severity[CODE]: message`, place, excerpt with caret, detail lines, notes, help.
struct Diagnostic {
  enum class Severity : std::uint8_t { error, warning, note };

  Severity severity = Severity::error;
  std::string code;     ///< stable word such as "CFG-UNKNOWN"; `teslasim explain CODE` has a page for it
  std::string message;  ///< one plain sentence without blame, without final full stop
  SourceLocation where;
  std::string excerpt;               ///< the source line itself, without newline; empty when there is none
  std::vector<std::string> details;  ///< further lines below the place, printed as they are (SM, block, warp, lanes)
  std::vector<std::string> notes;    ///< `= note:` facts
  std::string help;                  ///< `= help:` what to do
  std::string cause;                 ///< `= cause:` why, where it is known; printed after the notes
};

/// Renders one diagnostic in the project's error style, ending in a newline.
[[nodiscard]] std::string render(const Diagnostic& diagnostic);
/// Renders the first 20 of them, and says how many more there are.
[[nodiscard]] std::string render(const std::vector<Diagnostic>& diagnostics);

/// Collects the diagnostics of one input so that all of them are reported at once, sorted by place, at most 20 printed.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic);
  [[nodiscard]] bool has_errors() const { return errors_ != 0; }
  [[nodiscard]] std::size_t errors() const { return errors_; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
  std::size_t errors_ = 0;
};

/// The user's input is wrong. Thrown once per input with everything that was found; `main` renders it and exits.
class InputError : public std::runtime_error {
 public:
  InputError(ExitCode exit_code, std::vector<Diagnostic> diagnostics);
  InputError(ExitCode exit_code, Diagnostic diagnostic);
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  ExitCode exit_code_;
  std::vector<Diagnostic> diagnostics_;
};

/// The nearest of `candidates` to a misspelt `word`, or empty when nothing is near enough to be a plausible slip.
[[nodiscard]] std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

/// A violated invariant of the program itself (exit 70).
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws an InternalError. Out of line, so that a check costs its function neither stack nor saved registers.
[[noreturn, gnu::cold, gnu::noinline]] void fail_check(const char* file, int line, std::string_view text);

}  // namespace teslasim

/// Checks an invariant of the simulator. Never used on user input.
#define SIM_CHECK(condition, text)                      \
  do {                                                  \
    if (!(condition)) [[unlikely]]                      \
      ::teslasim::fail_check(__FILE__, __LINE__, text); \
  } while (false)
