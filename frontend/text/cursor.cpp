// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/cursor.h"

#include <fmt/format.h>

#include <algorithm>

namespace teslasim::text {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace

void fail(std::string code, Span where, std::string message, std::string help) {
  throw TextError{std::move(code), std::move(message), std::move(help), where.column, std::max(1U, where.length)};
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view without_comment(std::string_view text) {
  text = text.substr(0, std::min(text.find('#'), text.find("//")));
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

Span Cursor::span_from(std::size_t start) const {
  std::size_t end = position_;
  while (end > start && is_blank(text_[end - 1])) --end;
  return {static_cast<std::uint32_t>(start + 1), static_cast<std::uint32_t>(std::max<std::size_t>(1, end - start))};
}

Span Cursor::here() const {
  std::size_t start = position_;
  while (start < text_.size() && is_blank(text_[start])) ++start;
  std::size_t end = start;
  while (end < text_.size() && is_word_character(text_[end])) ++end;
  const std::size_t length = std::max<std::size_t>(1, end - start);
  return {static_cast<std::uint32_t>(start + 1), static_cast<std::uint32_t>(length)};
}

void Cursor::skip_space() {
  while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
}

bool Cursor::at_end() {
  skip_space();
  return position_ >= text_.size();
}

char Cursor::peek() {
  skip_space();
  return look();
}

char Cursor::look(std::size_t offset) const {
  return position_ + offset < text_.size() ? text_[position_ + offset] : '\0';
}

bool Cursor::accept(std::string_view token) {
  skip_space();
  if (text_.substr(std::min(position_, text_.size())).substr(0, token.size()) != token) return false;
  position_ += token.size();
  return true;
}

void Cursor::expect(std::string_view token, std::string_view after) {
  if (accept(token)) return;
  fail("ASM-SYNTAX", here(), fmt::format("expected '{}' after {}", token, after));
}

std::string_view Cursor::take_word() {
  const std::size_t start = std::min(position_, text_.size());
  while (position_ < text_.size() && is_word_character(text_[position_])) ++position_;
  return text_.substr(start, position_ - start);
}

std::string_view Cursor::expect_name(std::string_view what) {
  skip_space();
  const char first = look();
  if (!is_word_character(first) || (first >= '0' && first <= '9'))
    fail("ASM-SYNTAX", here(), fmt::format("expected {}", what));
  return take_word();
}

std::string Cursor::expect_quoted(std::string_view what) {
  const std::size_t start = position_ - 1;
  const std::size_t end = text_.find('"', position_);
  if (end == std::string_view::npos || end == position_)
    fail("ASM-SYNTAX", span_from(start), fmt::format("{} is empty or lacks its second '\"'", what));
  std::string inside(text_.substr(position_, end - position_));
  position_ = end + 1;
  return inside;
}

void Cursor::expect_end() {
  if (at_end()) return;
  fail("ASM-SYNTAX", here(), "unexpected text at the end of the statement", "one statement per line");
}

}  // namespace teslasim::text
