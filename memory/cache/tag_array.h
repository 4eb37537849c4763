// SPDX-License-Identifier: Apache-2.0
// The tags of a set-associative cache or TLB: which lines it holds, and which one a new line replaces.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "memory/cache/replacement.h"
#include "sim/base/types.h"

namespace teslasim {

/// Bytes = sets x ways x line. Ways and lines are at least 1; the line is a power of two; the number of sets
/// follows and need not be a power of two. For a TLB a "line" is a page, for a fully associative array there is one
/// set.
struct CacheGeometry {
  unsigned bytes = 0;
  unsigned ways = 1;
  unsigned line_bytes = 1;
  [[nodiscard]] constexpr unsigned sets() const { return bytes / (ways * line_bytes); }
  /// True when the bytes divide evenly into sets of lines.
  [[nodiscard]] constexpr bool whole() const {
    return ways != 0 && line_bytes != 0 && (line_bytes & (line_bytes - 1)) == 0 && sets() != 0 &&
           bytes % (ways * line_bytes) == 0;
  }
};

/// Stands for the tag store with its comparators. A line goes into set (line number mod sets), into a free way if there
/// is one, else in the place of the policy's victim. Not modelled here: time, ports, data, dirty lines (everything
/// cached is read-only on these chips, except that a caller may use the evicted address).
class TagArray {
 public:
  /// `geometry` must be whole(); `replacement` as in replacement_policies().
  TagArray(const CacheGeometry& geometry, std::string_view replacement);

  [[nodiscard]] const CacheGeometry& geometry() const { return geometry_; }
  /// First address of the line that holds `address`.
  [[nodiscard]] Address line_of(Address address) const { return address & ~(geometry_.line_bytes - 1); }

  /// Looks without changing anything.
  [[nodiscard]] bool contains(Address address) const { return find(address >> shift_) != no_way; }
  /// Looks; a line that is found counts as used.
  bool use(Address address) {
    const unsigned way = find(address >> shift_);
    if (way == no_way) return false;
    policy_->touch(set_of(address >> shift_), way);
    return true;
  }
  /// Puts the line of `address` in, if it is not there yet. Returns the line (its first address) that had to leave.
  std::optional<Address> fill(Address address) { return fill(address, geometry_.ways); }
  /// The same in one of the first `ways` ways of the set.
  std::optional<Address> fill(Address address, unsigned ways);
  /// Takes the line of `address` out; false when it was not there.
  bool invalidate(Address address);
  /// Empties all sets.
  void clear();
  /// Lines held, in all sets.
  [[nodiscard]] std::size_t size() const { return held_; }

 private:
  static constexpr unsigned no_way = ~0U;
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  [[nodiscard]] unsigned set_of(Address line) const { return mask_ != 0 ? line & mask_ : line % sets_; }
  [[nodiscard]] unsigned find(Address line) const {
    const std::uint64_t* tags = &tags_[std::size_t{set_of(line)} * geometry_.ways];
    for (unsigned way = 0; way < geometry_.ways; ++way) {
      if (tags[way] == line) return way;
    }
    return no_way;
  }

  CacheGeometry geometry_;
  unsigned shift_ = 0;
  unsigned sets_ = 1;
  Address mask_ = 0;                 ///< sets - 1 when that is a useful mask, else 0
  std::vector<std::uint64_t> tags_;  ///< line numbers by set and way
  std::unique_ptr<ReplacementPolicy> policy_;
  std::size_t held_ = 0;
};

}  // namespace teslasim
