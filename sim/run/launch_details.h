// SPDX-License-Identifier: Apache-2.0
// Which launches of a run keep statistics of their own. The others are added up by kernel, so that a run of very many
// launches writes, and needs, no more than one of a few.
#pragma once

#include <cstdint>
#include <string>

#include "sim/trace/trace_selection.h"

namespace teslasim {

class LaunchDetails {
 public:
  /// By default all launches stand alone up to this many.
  static constexpr std::uint64_t most_by_default = 64;

  /// "all", "none", "0-3,7", or "" for the default; `launches` is how many the run has. Throws InputError (usage).
  static LaunchDetails parse(const std::string& text, std::uint64_t launches);

  [[nodiscard]] bool alone(std::uint64_t launch) const;
  /// Whether launches.csv has a row for each: there are very many launches, or some do not stand alone.
  [[nodiscard]] bool listed() const { return kind_ != Kind::all || launches_ > most_by_default; }

 private:
  enum class Kind : std::uint8_t { all, none, some };
  Kind kind_ = Kind::all;
  NumberRanges chosen_;
  std::uint64_t launches_ = 0;
};

}  // namespace teslasim
