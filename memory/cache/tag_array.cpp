// SPDX-License-Identifier: Apache-2.0
#include "memory/cache/tag_array.h"

#include <algorithm>
#include <bit>

#include "sim/base/diagnostic.h"

namespace teslasim {

TagArray::TagArray(const CacheGeometry& geometry, std::string_view replacement) : geometry_(geometry) {
  SIM_CHECK(geometry.whole(), "the geometry of a cache was not checked");
  shift_ = static_cast<unsigned>(std::countr_zero(geometry.line_bytes));
  sets_ = geometry.sets();
  mask_ = std::has_single_bit(sets_) ? sets_ - 1 : 0;
  tags_.assign(std::size_t{sets_} * geometry.ways, nothing);
  policy_ = make_replacement_policy(replacement, sets_, geometry.ways);
}

std::optional<Address> TagArray::fill(Address address, unsigned ways) {
  const Address line = address >> shift_;
  if (find(line) != no_way) return std::nullopt;
  const unsigned set = set_of(line);
  std::uint64_t* tags = &tags_[std::size_t{set} * geometry_.ways];
  auto way = static_cast<unsigned>(std::find(tags, tags + ways, nothing) - tags);
  std::optional<Address> evicted;
  if (way == ways) {
    way = policy_->victim(set, ways);
    evicted = static_cast<Address>(tags[way]) << shift_;
  } else {
    ++held_;
  }
  tags[way] = line;
  policy_->insert(set, way);
  return evicted;
}

bool TagArray::invalidate(Address address) {
  const Address line = address >> shift_;
  const unsigned way = find(line);
  if (way == no_way) return false;
  tags_[std::size_t{set_of(line)} * geometry_.ways + way] = nothing;
  --held_;
  return true;
}

void TagArray::clear() {
  std::fill(tags_.begin(), tags_.end(), nothing);
  policy_->reset();
  held_ = 0;
}

}  // namespace teslasim
