// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/text_lines.h"

#include <algorithm>
#include <utility>

#include "sim/base/text_file.h"
#include "sim/base/utf8.h"

namespace teslasim {

TextLines::TextLines(std::string path, std::unique_ptr<std::istream> text, const char* code)
    : path_(std::move(path)), text_(std::move(text)), code_(code) {}

bool TextLines::read_line() {
  line_.clear();
  if (!std::getline(*text_, line_)) return false;
  position_ += line_.size() + 1;
  if (++line_number_ == 1) line_.erase(0, byte_order_mark_bytes(line_));
  if (line_.ends_with('\r')) line_.pop_back();
  const std::size_t foreign = first_not_utf8(line_);
  if (foreign != std::string::npos) problem(foreign, 1, "this byte is not UTF-8");
  return true;
}

void TextLines::problem(std::size_t column, std::size_t length, std::string message, std::string help) {
  Diagnostic found;
  found.code = code_;
  found.message = std::move(message);
  const std::uint32_t first = column_of_offset(line_, column), behind = column_of_offset(line_, column + length);
  found.where = {path_, static_cast<std::uint32_t>(line_number_), first, std::max(1U, behind - first)};
  found.excerpt = line_;
  found.help = std::move(help);
  problems_.push_back(std::move(found));
  if (problems_.size() >= most_problems) throw_problems();
}

void TextLines::throw_problems() const {
  if (!problems_.empty()) throw InputError(ExitCode::input, problems_);
}

}  // namespace teslasim
