// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/text_lines.h"

#include <algorithm>
#include <utility>

namespace teslasim {

TextLines::TextLines(std::string path, std::unique_ptr<std::istream> text, const char* code)
    : path_(std::move(path)), text_(std::move(text)), code_(code) {}

bool TextLines::read_line() {
  line_.clear();
  if (!std::getline(*text_, line_)) return false;
  position_ += line_.size() + 1;
  ++line_number_;
  if (line_.ends_with('\r')) line_.pop_back();
  return true;
}

void TextLines::problem(std::size_t column, std::size_t length, std::string message, std::string help) {
  Diagnostic found;
  found.code = code_;
  found.message = std::move(message);
  found.where = {path_, static_cast<std::uint32_t>(line_number_), static_cast<std::uint32_t>(column + 1),
                 static_cast<std::uint32_t>(std::max<std::size_t>(1, length))};
  if (line_.size() <= longest_excerpt) found.excerpt = line_;
  found.help = std::move(help);
  problems_.push_back(std::move(found));
  if (problems_.size() >= most_problems) throw_problems();
}

void TextLines::throw_problems() const {
  if (!problems_.empty()) throw InputError(ExitCode::input, problems_);
}

}  // namespace teslasim
