// SPDX-License-Identifier: Apache-2.0
#include "sim/embed/errors.h"

#include <string_view>

namespace teslasim::embed {
namespace {

std::string_view word_of(Diagnostic::Severity severity) {
  switch (severity) {
    case Diagnostic::Severity::warning:
      return "warning";
    case Diagnostic::Severity::note:
      return "note";
    default:
      return "error";
  }
}

std::string without_last_newline(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

Error::Error(int exit_code, std::vector<Message> messages, const std::string& text)
    : std::runtime_error(text), exit_code_(exit_code), messages_(std::move(messages)) {}
Error::~Error() = default;

const std::string& Error::code() const {
  static const std::string none;
  return messages_.empty() ? none : messages_.front().code;
}

std::vector<Message> messages_of(const std::vector<Diagnostic>& diagnostics) {
  std::vector<Message> messages;
  for (const Diagnostic& one : diagnostics) {
    Message message;
    message.severity = word_of(one.severity);
    message.code = one.code;
    message.message = one.message;
    message.file = one.where.file;
    message.line = one.where.line;
    message.column = one.where.column;
    message.excerpt = one.excerpt;
    message.help = one.help;
    message.text = without_last_newline(render(one));
    messages.push_back(std::move(message));
  }
  return messages;
}

void throw_error(ExitCode exit_code, const std::vector<Diagnostic>& diagnostics) {
  throw Error(static_cast<int>(exit_code), messages_of(diagnostics), without_last_newline(render(diagnostics)));
}

}  // namespace teslasim::embed
