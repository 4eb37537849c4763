// SPDX-License-Identifier: Apache-2.0
// Options by the names that they have in other commands, simulators and compilers, for the message about an unknown
// one.
#pragma once

#include <span>
#include <string_view>

namespace teslasim {

/// A word from elsewhere, and the option that does it here.
struct OtherWord {
  std::string_view given;   ///< with its dashes
  std::string_view option;  ///< long name without dashes
  std::string_view value;   ///< the one that is meant; empty: any

  /// Whether `typed` is this word, maybe with a value: --gpu=gtx280, -mgtx280.
  [[nodiscard]] bool stands_in(std::string_view typed) const;
};

/// A word may have several rows: the first whose option the command has is meant.
[[nodiscard]] std::span<const OtherWord> other_words();

}  // namespace teslasim
