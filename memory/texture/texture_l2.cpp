// SPDX-License-Identifier: Apache-2.0
#include "memory/texture/texture_l2.h"

#include <algorithm>

#include "sim/base/diagnostic.h"

namespace teslasim {

TextureL2::TextureL2(const MemoryPath& path)
    : map_(path.map),
      line_bytes_(path.texture_l2.line_bytes),
      reads_((path.texture_l2.line_bytes + read_bytes - 1) / read_bytes),
      places_(path.texture_l2.misses),
      waiting_places_(path.texture_l2.waiting),
      cache_(path.texture_l2.geometry(), path.texture_l2.replacement, path.texture_l2.misses, path.texture_l2.waiting),
      lines_(path.texture_l2.misses) {}

void TextureL2::reset() {
  cache_.reset();
  used_ = 0;
}

bool TextureL2::can_take(Address address, unsigned read_places) const {
  const Address line = map_.local_of(first_of(address));
  if (cache_.tags().contains(line)) return true;
  if (cache_.outstanding().waiting() >= waiting_places_) return false;
  if (cache_.outstanding().contains(line)) return true;
  return cache_.outstanding().lines() < places_ && read_places >= reads_;
}

TextureL2::Outcome TextureL2::look_up(const Waiter& waiter) {
  const Address first = first_of(waiter.transaction.address);
  switch (cache_.read(map_.local_of(first), waiter)) {
    case ReadCache<Waiter>::Result::hit:
      return Outcome::hit;
    case ReadCache<Waiter>::Result::merged:
      return Outcome::waits;
    case ReadCache<Waiter>::Result::miss:
      break;
    case ReadCache<Waiter>::Result::refused:
      SIM_CHECK(false, "the second-level texture cache has no place for a miss");
  }
  lines_[used_++] = {first, reads_};
  return Outcome::reads;
}

MemoryTransaction TextureL2::read(Address address, unsigned i) const {
  MemoryTransaction read;
  read.address = first_of(address) + i * read_bytes;
  read.bytes = static_cast<std::uint16_t>(std::min(line_bytes_, read_bytes));
  read.response = read.measured = false;
  read.texture = true;
  return read;
}

TextureL2::Line& TextureL2::find(Address first) {
  const auto end = lines_.begin() + static_cast<std::ptrdiff_t>(used_);
  const auto line = std::find_if(lines_.begin(), end, [first](const Line& l) { return l.first == first; });
  SIM_CHECK(line != end, "a read of the second-level texture cache belongs to no line");
  return *line;
}

}  // namespace teslasim
