// SPDX-License-Identifier: Apache-2.0
// Where the commands of a session come from: a file, or standard input. Each is echoed behind the prompt where no
// terminal does, so that the output is the same transcript in both cases.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/debugger/commands/command_line.h"

namespace teslasim {

inline constexpr std::string_view debug_prompt = "(debug) ";

class CommandSource {
 public:
  virtual ~CommandSource() = default;
  /// The next line, which may be empty; nothing: there are no more.
  [[nodiscard]] virtual std::optional<CommandLine> next() = 0;
  /// Whether a mistake is one of the file that was given, rather than of somebody who can try again.
  [[nodiscard]] virtual bool is_file() const = 0;
};

/// The lines of a file, without empty ones and remarks.
class CommandFile final : public CommandSource {
 public:
  /// Throws InputError: (input) when it cannot be read, (usage) with everything in it that is no command.
  explicit CommandFile(const std::string& path);
  [[nodiscard]] std::optional<CommandLine> next() override;
  [[nodiscard]] bool is_file() const override { return true; }

 private:
  std::vector<CommandLine> lines_;
  std::size_t next_ = 0;
};

class StandardInput final : public CommandSource {
 public:
  StandardInput();
  [[nodiscard]] std::optional<CommandLine> next() override;
  [[nodiscard]] bool is_file() const override { return false; }

 private:
  bool on_terminal_;
  std::uint32_t line_ = 0;
};

}  // namespace teslasim
