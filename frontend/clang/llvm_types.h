// SPDX-License-Identifier: Apache-2.0
// Types in the text of LLVM 14's intermediate language: how many bytes they take.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim::cuda {

struct LlvmType {
  enum class Kind : std::uint8_t { integer, real, pointer, array, structure };
  Kind kind = Kind::integer;
  std::uint64_t bytes = 0, alignment = 1;
  std::uint64_t elements = 0;            ///< of an array or vector
  std::vector<LlvmType> members{};       ///< of a structure; of an array the one type
  std::vector<std::uint64_t> offsets{};  ///< of the members of a structure
};

/// A place in a line.
struct LlvmCursor {
  std::string_view text;

  void skip_blanks();
  bool accept(std::string_view word);                      ///< takes it if it is next
  [[nodiscard]] bool is(std::string_view word);            ///< whether it is next
  [[nodiscard]] std::string_view take_word();              ///< letters, digits, `_ . $ -`
  [[nodiscard]] std::string take_name();                   ///< a word, or what stands in quotes, with them
  [[nodiscard]] std::optional<std::uint64_t> take_size();  ///< a whole number
};

/// The named structures of a module: `%struct.Node = type { i32, %struct.Node* }`.
class LlvmTypes {
 public:
  explicit LlvmTypes(std::string_view module);
  /// Takes a type off the front; nothing if it has no size, or none that is known here.
  [[nodiscard]] std::optional<LlvmType> take(LlvmCursor& cursor, unsigned depth = 0) const;

 private:
  [[nodiscard]] std::optional<LlvmType> take_plain(LlvmCursor& cursor, unsigned depth) const;
  [[nodiscard]] std::optional<LlvmType> take_sequence(LlvmCursor& cursor, char end, unsigned depth) const;
  [[nodiscard]] std::optional<LlvmType> take_structure(LlvmCursor& cursor, bool packed, unsigned depth) const;

  std::map<std::string, std::string, std::less<>> named_;
};

}  // namespace teslasim::cuda
