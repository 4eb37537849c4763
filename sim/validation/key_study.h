// SPDX-License-Identifier: Apache-2.0
// The configuration keys whose values no source gives (they are calibrated or assumed, and their `# source:` says so),
// and the values near those that a study tries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/config.h"

namespace teslasim {

/// What a value rests on instead of a source.
enum class KeyGround : std::uint8_t { calibrated, assumed };
[[nodiscard]] std::string_view name_of(KeyGround ground);

/// What the text of a `# source:` says; nothing when there is a source. What is calibrated from an assumption is
/// calibrated.
[[nodiscard]] std::optional<KeyGround> ground_of(std::string_view source);

/// One value of one file: a key stands once for each file that sets it, with the machines that take it from there.
struct StudiedKey {
  std::string key;    ///< dotted
  std::string file;   ///< of configs/, without its ending: "g8x", "dram/gddr3"
  std::string value;  ///< as TOML
  std::string source;
  KeyGround ground = KeyGround::assumed;
  std::vector<std::string> machines;
  std::string skipped{};  ///< why no other value is tried; empty when there are some
  FieldInfo info{};
  friend bool operator==(const StudiedKey& left, const StudiedKey& right) {
    return left.key == right.key && left.file == right.file;
  }
  [[nodiscard]] std::string name() const { return key + " (" + file + ")"; }
};

/// The keys that `machines` (presets) have, in the order of the manual and by file.
[[nodiscard]] std::vector<StudiedKey> studied_keys(const std::vector<std::string>& machines);

/// The value `steps` steps of 10 % above (below when negative) `value`: whole numbers move by at least 1 a step, powers
/// of two by factors of two. Stays within the range of the key; nothing when that leaves no other value, or when a zero
/// or a word has no tenth.
[[nodiscard]] std::optional<std::string> stepped_value(const FieldInfo& info, const std::string& value, int steps);
/// The other values of a truth or a word.
[[nodiscard]] std::vector<std::string> other_words(const FieldInfo& info, const std::string& value);

}  // namespace teslasim
