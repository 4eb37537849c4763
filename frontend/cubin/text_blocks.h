// SPDX-License-Identifier: Apache-2.0
// The block structure of a text cubin: words, `name = value` lines and `{ ... }` blocks, white space free. No meaning
// yet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {

/// A piece of the text and its place. The text must outlive it.
struct CubinWord {
  std::string_view text;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct CubinField {
  CubinWord name;
  CubinWord value;
};

struct CubinBlock {
  CubinWord name;
  std::vector<CubinWord> words;  ///< those that are neither field nor block
  std::vector<CubinField> fields;
  std::vector<CubinBlock> blocks;

  [[nodiscard]] const CubinField* field(std::string_view field_name) const;
  [[nodiscard]] const CubinBlock* block(std::string_view block_name) const;
};

/// What is wrong with a text cubin, with excerpts.
class CubinProblems {
 public:
  CubinProblems(std::string path, std::string_view text) : path_(std::move(path)), text_(text) {}

  void add(std::string code, const CubinWord& word, std::string message, std::string help);
  void add(Diagnostic problem) { diagnostics_.add(std::move(problem)); }
  [[nodiscard]] SourceLocation place(const CubinWord& word) const;
  [[nodiscard]] std::string excerpt(const CubinWord& word) const;
  [[nodiscard]] bool any() const { return diagnostics_.has_errors(); }
  /// Throws InputError when there is any problem.
  void throw_if_any() const;

 private:
  std::string path_;
  std::string_view text_;
  Diagnostics diagnostics_;
};

/// The whole file as one block without name.
[[nodiscard]] CubinBlock parse_cubin_blocks(std::string_view text, CubinProblems& problems);

}  // namespace teslasim
