// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/clang_messages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "frontend/clang/absent_names.h"
#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

struct Line {
  std::string file;
  std::uint32_t line = 0, column = 0;
  std::string_view kind, message;
};

/// Takes ":12" off the end of `text`.
std::optional<std::uint32_t> number_at_end(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

/// "file:line:column: kind: message" or "program: kind: message".
std::optional<Line> parsed(std::string_view text) {
  constexpr std::array<std::string_view, 4> kinds{"fatal error", "error", "warning", "note"};
  for (const std::string_view kind : kinds) {
    const std::string mark = ": " + std::string(kind) + ": ";
    const std::size_t at = text.find(mark);
    const bool first = text.starts_with(mark.substr(2));
    if (at == std::string_view::npos && !first) continue;
    Line line;
    line.kind = kind;
    line.message = text.substr(first ? mark.size() - 2 : at + mark.size());
    std::string_view place = first ? "" : text.substr(0, at);
    const std::optional<std::uint32_t> column = number_at_end(place);
    const std::optional<std::uint32_t> number = column ? number_at_end(place) : std::nullopt;
    if (number) {
      line.file = place;
      line.line = *number;
      line.column = *column;
    }
    return line;
  }
  return std::nullopt;
}

/// The first word in quotes.
std::string_view quoted(std::string_view message) {
  const std::size_t begin = message.find('\'');
  const std::size_t end = begin == std::string_view::npos ? begin : message.find('\'', begin + 1);
  return end == std::string_view::npos ? "" : message.substr(begin + 1, end - begin - 1);
}

constexpr std::string_view no_match = "no matching function for call to";

/// What a message of clang says of a name that is known to be absent. Functions of the host count once a note has told
/// that they are.
std::optional<AbsentName> absent_in(std::string_view message) {
  if (message.ends_with("file not found")) return absent_header(quoted(message));
  constexpr std::array<std::string_view, 3> beginnings{"use of undeclared identifier", "unknown type name",
                                                       "no template named"};
  const bool unknown = std::any_of(beginnings.begin(), beginnings.end(),
                                   [message](std::string_view beginning) { return message.starts_with(beginning); });
  return unknown ? absent_name(quoted(message)) : std::nullopt;
}

/// The type of 'float *' in "no known conversion from 'float *' to ...".
std::string_view pointed_to(std::string_view note) {
  constexpr std::string_view mark = "no known conversion from ";
  const std::size_t at = note.find(mark);
  if (at == std::string_view::npos) return "";
  const std::string_view type = quoted(note.substr(at));
  return type.ends_with(" *") ? type.substr(0, type.size() - 2) : "";
}

class Messages {
 public:
  explicit Messages(const MessageFiles& files) : files_(files) {}

  void add(const Line& line) {
    if (line.kind == "note") return note(line);
    if (explained_ && line.line == found_.back().where.line && shown(line.file) == found_.back().where.file)
      return;  // follows from it
    explained_ = false;
    Diagnostic one;
    const bool warning = line.kind == "warning";
    one.severity = warning ? Diagnostic::Severity::warning : Diagnostic::Severity::error;
    one.code = warning ? "CUDA-WARNING" : "CUDA-SOURCE";
    one.message = line.message;
    one.where = {line.file.empty() ? files_.source : shown(line.file), line.line, line.column, 1};
    one.excerpt = excerpt(line);
    found_.push_back(std::move(one));
    if (!warning) explain(absent_in(line.message));
  }

  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  void explain(std::optional<AbsentName> absent) {
    if (!absent) return;
    Diagnostic& last = found_.back();
    last.message = std::move(absent->message);
    last.help = std::move(absent->help);
    last.notes.clear();
    explained_ = true;
  }

  /// Notes say why none of the functions of a name may be called.
  void explain_call(std::string_view reason) {
    Diagnostic& last = found_.back();
    if (!last.message.starts_with(no_match)) return;
    const std::string name(quoted(last.message));
    if (reason.find("call to __host__ function from __") != std::string_view::npos) {
      last.help = "only functions that are marked __device__ run on the device";
      explain(absent_name(name));
    } else {
      explain(absent_atomic(name, pointed_to(reason)));
    }
  }

  void note(const Line& line) {
    constexpr std::size_t most_notes = 3;
    if (found_.empty() || explained_) return;
    explain_call(line.message);
    if (explained_ || found_.back().notes.size() >= most_notes) return;
    const bool own = line.file.starts_with(files_.headers);
    const bool idle = line.message.starts_with("expanded from macro") ||
                      line.message.ends_with("has been explicitly marked unavailable here");
    if (own && idle) return;
    const std::string place = line.line == 0 || own ? "" : shown(line.file) + ":" + std::to_string(line.line) + ": ";
    found_.back().notes.push_back(place + std::string(line.message));
  }

  [[nodiscard]] const std::string& shown(const std::string& file) const {
    return file == files_.full ? files_.source : file;
  }

  std::string excerpt(const Line& line) {
    if (line.line == 0) return "";
    auto file = texts_.find(line.file);
    if (file == texts_.end()) file = texts_.emplace(line.file, lines_of(read_text_file(line.file).text)).first;
    return line.line <= file->second.size() ? file->second[line.line - 1] : "";
  }

  const MessageFiles& files_;
  std::map<std::string, std::vector<std::string>> texts_;
  std::vector<Diagnostic> found_;
  bool explained_ = false;  ///< the last of them, by what is known of its name
};

}  // namespace

std::vector<Diagnostic> clang_diagnostics(std::string_view text, const MessageFiles& files) {
  Messages messages(files);
  for (const std::string& line : lines_of(text)) {
    if (const std::optional<Line> one = parsed(line)) messages.add(*one);
  }
  return messages.take();
}

std::vector<Diagnostic> clang_errors(std::string_view text, const MessageFiles& files) {
  std::vector<Diagnostic> found = clang_diagnostics(text, files);
  const bool told = std::any_of(found.begin(), found.end(),
                                [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; });
  if (told) return found;
  Diagnostic one;
  one.code = "CUDA-SOURCE";
  one.message = "clang says: " + std::string(text.substr(0, text.find('\n')));
  one.where.file = files.source;
  found.push_back(std::move(one));
  return found;
}

}  // namespace teslasim::cuda
