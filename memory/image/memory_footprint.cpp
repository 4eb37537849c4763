// SPDX-License-Identifier: Apache-2.0
#include "memory/image/memory_footprint.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

#include "sim/base/each_lane.h"

namespace teslasim {

namespace {

constexpr unsigned half_warp = warp_size / 2;
constexpr LaneMask half_lanes = (LaneMask{1} << half_warp) - 1;

}  // namespace

void MemoryFootprint::Release::operator()(std::uint64_t* words) const {
  std::free(words);  // NOLINT(cppcoreguidelines-no-malloc): from calloc
}

MemoryFootprint::Bits MemoryFootprint::make(std::size_t words) {
  // calloc gives pages that the host fills with zeros when they are touched; a vector would touch all of them.
  void* const place = std::calloc(words, sizeof(std::uint64_t));  // NOLINT(cppcoreguidelines-no-malloc)
  if (place == nullptr) throw std::bad_alloc();
  return Bits(static_cast<std::uint64_t*>(place));
}

MemoryFootprint::MemoryFootprint(std::uint64_t end, PageImages& images)
    : images_(images),
      words_((end >> (word_bits + group_bits)) + 2),
      read_(make(words_)),
      written_(make(words_)),
      touched_((words_ >> region_bits) + 1) {}

/// Bit i of `which`: the i-th word from `word` on.
inline void MemoryFootprint::mark(Bits& bits, std::uint32_t word, std::uint32_t which) {
  constexpr unsigned group = 1U << group_bits;
  const std::size_t at = word >> group_bits;
  const unsigned shift = word & (group - 1);
  bits[at] |= std::uint64_t{which} << shift;
  touched_[at >> region_bits] = true;
  const std::uint64_t carried = shift == 0 ? 0 : std::uint64_t{which} >> (group - shift);
  if (carried == 0) return;
  bits[at + 1] |= carried;
  touched_[(at + 1) >> region_bits] = true;
}

void MemoryFootprint::mark_lanes(Bits& bits, const MemoryAccess& access, LaneMask lanes) {
  const unsigned words = std::max(1U, unsigned{access.bytes} >> word_bits);
  for_each_lane(lanes, [&](unsigned lane) { mark(bits, access.address[lane] >> word_bits, (1U << words) - 1); });
}

void MemoryFootprint::note(const MemoryAccess& access) {
  if (access.space != MemoryAccess::Space::global) return;
  const bool writes = access.kind != MemoryAccess::Kind::load;
  Bits& bits = writes ? written_ : read_;
  for (unsigned half = 0; half < access.side_by_side.size(); ++half) {
    const LaneMask lanes = access.lanes & (half_lanes << half * half_warp);
    if (lanes == 0) continue;
    if (access.side_by_side[half]) {
      if (writes) images_.keep(access.first_address[half], half_warp << word_bits);
      mark(bits, access.first_address[half] >> word_bits, lanes >> half * half_warp);
      continue;
    }
    if (writes) for_each_lane(lanes, [&](unsigned lane) { images_.keep(access.address[lane], access.bytes); });
    mark_lanes(bits, access, lanes);
  }
}

bool MemoryFootprint::are_independent(std::span<const MemoryFootprint* const> threads) {
  const std::size_t words = threads.empty() ? 0 : threads.front()->words_;
  for (std::size_t region = 0; region << region_bits < words; ++region) {
    const auto touched = [region](const MemoryFootprint* thread) { return bool{thread->touched_[region]}; };
    if (std::count_if(threads.begin(), threads.end(), touched) < 2) continue;
    const std::size_t end = std::min(words, (region + 1) << region_bits);
    for (std::size_t i = region << region_bits; i < end; ++i) {
      std::uint64_t read = 0;
      std::uint64_t written = 0;
      for (const MemoryFootprint* thread : threads) {
        if ((thread->written_[i] & (read | written)) != 0 || (thread->read_[i] & written) != 0) return false;
        read |= thread->read_[i];
        written |= thread->written_[i];
      }
    }
  }
  return true;
}

bool MemoryFootprint::wrote_in(Address begin, std::uint64_t bytes) const {
  const std::uint64_t end =
      std::min((begin + bytes + (1U << word_bits) - 1) >> word_bits, std::uint64_t{words_} << group_bits);
  for (std::uint64_t word = begin >> word_bits; word < end; ++word) {
    if ((written_[word >> group_bits] >> (word & ((1U << group_bits) - 1)) & 1U) != 0) return true;
  }
  return false;
}

}  // namespace teslasim
