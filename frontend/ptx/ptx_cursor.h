// SPDX-License-Identifier: Apache-2.0
// A reading position in the tokens of a PTX file, and the mistakes found so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ptx/ptx_lexer.h"

namespace teslasim::ptx {

/// Thrown by what cannot go on within a statement; caught where the next one can be found.
struct PtxStatementError {};

class PtxCursor {
 public:
  explicit PtxCursor(std::string_view text) : tokens_(tokens_of(text, mistakes_)) {}

  [[nodiscard]] const PtxToken& peek(std::size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  [[nodiscard]] bool at_end() const { return peek().kind == PtxTokenKind::end; }
  const PtxToken& take();
  [[nodiscard]] bool is(char punctuation, std::size_t ahead = 0) const;
  [[nodiscard]] bool is_dotted(std::string_view word) const;
  /// Takes it if it is next.
  bool accept(char punctuation);
  bool accept_dotted(std::string_view word);
  void expect(char punctuation, std::string_view after);
  [[nodiscard]] std::string expect_name(std::string_view what);
  [[nodiscard]] std::string expect_string(std::string_view what);
  /// A constant expression of integers, or a float.
  [[nodiscard]] PtxConstant expect_constant(std::string_view what);
  /// A whole number from 0 to `most`.
  [[nodiscard]] std::uint64_t expect_whole(std::string_view what, std::uint64_t most);

  /// Notes a mistake and leaves the statement.
  [[noreturn]] void fail(const PtxPlace& place, std::string code, std::string message, std::string help = "");
  void note(const PtxPlace& place, std::string code, std::string message, std::string help = "");
  /// Past the next ';' of this statement, or to the brace that ends or begins a block.
  void skip_statement();
  /// A level deeper; fails at one too many. `leave` goes back.
  void enter();
  void leave() { --depth_; }

  [[nodiscard]] const std::vector<PtxMistake>& mistakes() const { return mistakes_; }

 private:
  [[nodiscard]] PtxConstant number(const PtxToken& token);
  [[nodiscard]] std::uint64_t binary(unsigned least);
  [[nodiscard]] std::uint64_t unary();
  [[nodiscard]] unsigned operator_length(unsigned& strength) const;
  [[nodiscard]] std::uint64_t apply(std::string_view operation, std::uint64_t left, std::uint64_t right,
                                    const PtxPlace& place);

  std::vector<PtxMistake> mistakes_;  // before the tokens, whose reading adds to it
  std::vector<PtxToken> tokens_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

/// Levels of scopes, vectors and parentheses.
inline constexpr unsigned deepest_ptx = 64;
/// Of constant memory: .const[10].
inline constexpr std::uint64_t most_ptx_banks = 10;

}  // namespace teslasim::ptx
