// SPDX-License-Identifier: Apache-2.0
// What went wrong, as the command line would have said it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace teslasim::embed {

/// One message: a sentence, its place, and what to do.
struct Message {
  std::string severity;  ///< "error", "warning" or "note"
  std::string code;      ///< such as "CFG-UNKNOWN"; `teslasim explain CODE` has a page for it
  std::string message;   ///< one sentence
  std::string file;      ///< empty: no place
  std::uint32_t line = 0, column = 0;
  std::string excerpt;  ///< the line itself
  std::string help;     ///< what to do
  std::string text;     ///< all of it as it is printed, with excerpt and caret
};

/// A user's mistake, or a kernel that did what it must not. `what()` is the text that the command line prints.
class Error : public std::runtime_error {
 public:
  Error(int exit_code, std::vector<Message> messages, const std::string& text);
  ~Error() override;

  /// Of the first message.
  [[nodiscard]] const std::string& code() const;
  /// Everything that is wrong with one input.
  [[nodiscard]] const std::vector<Message>& messages() const { return messages_; }
  /// The exit code of the command line for this.
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
  std::vector<Message> messages_;
};

}  // namespace teslasim::embed
