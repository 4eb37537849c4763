// SPDX-License-Identifier: Apache-2.0
// The reading side of the coding of instructions.
#include <bit>

#include "sim/trace/instruction_coding.h"
#include "sim/trace/instruction_record.h"

namespace teslasim {

using namespace trace;  // NOLINT(google-build-using-namespace): the bytes of an instruction

void SegmentDecoder::open(std::string_view bytes, std::uint32_t instructions) {
  history_.clear();
  bytes_.assign(bytes);
  position_ = 0;
  left_ = instructions;
}

std::uint8_t SegmentDecoder::byte() {
  if (position_ == bytes_.size()) throw TraceDamage("a segment ends within an instruction");
  return static_cast<std::uint8_t>(bytes_[position_++]);
}

std::uint64_t SegmentDecoder::number() {
  constexpr unsigned last_shift = 63;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift <= last_shift; shift += 7) {
    const std::uint8_t next = byte();
    value |= static_cast<std::uint64_t>(next & 0x7fU) << shift;
    if (next < 0x80U) return value;
  }
  throw TraceDamage("a number is longer than 64 bits");
}

std::int64_t SegmentDecoder::signed_number() {
  const std::uint64_t coded = number();
  return static_cast<std::int64_t>(coded >> 1U ^ (0 - (coded & 1U)));
}

std::uint32_t SegmentDecoder::word() {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < sizeof value; ++i) value |= static_cast<std::uint32_t>(byte()) << (8 * i);
  return value;
}

void SegmentDecoder::addresses(AddressRecord& record, LaneMask expected, SegmentHistory::Place& place,
                               Remember remember) {
  constexpr unsigned widest = 4;
  const unsigned head = byte();
  const auto pattern = static_cast<Pattern>(head >> pattern_shift & pattern_mask);
  if ((head & width_mask) > widest) throw TraceDamage("an access has an unknown width");
  record.bytes = static_cast<std::uint8_t>(1U << (head & width_mask));
  record.lanes = (head & other_lanes) != 0 ? word() : expected;
  if (record.lanes == 0) throw TraceDamage("an access has no lanes");
  place.base += static_cast<std::uint32_t>(signed_number());
  const std::uint32_t base = place.base;
  if ((head & same_shape) != 0) {
    if (place.shape == SegmentHistory::Place::none || history_.shape(place).lanes != record.lanes)
      throw TraceDamage("an access repeats the shape of one that is not there");
    const SegmentHistory::Shape& shape = history_.shape(place);
    for (unsigned lane = 0; lane < warp_size; ++lane) record.address[lane] = base + shape.distance[lane];
    return;
  }
  record.address.fill(base);
  const unsigned first = first_lane(record.lanes);
  if (pattern == Pattern::stride) {
    const auto stride = static_cast<std::uint32_t>(signed_number());
    for (unsigned lane = 0; lane < warp_size; ++lane) record.address[lane] = base + stride * (lane - first);
  }
  if (pattern == Pattern::packed) packed(record, base);
  if (pattern == Pattern::every_lane) {
    std::uint32_t before = base;
    each_lane(record.lanes & (record.lanes - 1), [&](unsigned lane) {
      before += static_cast<std::uint32_t>(signed_number());
      record.address[lane] = before;
    });
  }
  const bool without_rule = pattern == Pattern::every_lane || pattern == Pattern::packed;
  if (without_rule && remember == Remember::shapes) history_.remember(place, record.lanes, record.address);
}

void SegmentDecoder::packed(AddressRecord& record, std::uint32_t lowest) {
  constexpr unsigned word_bits = 32;
  const unsigned bits = byte(), shift = byte();
  if (bits > word_bits || shift >= word_bits) throw TraceDamage("addresses are packed in an unknown way");
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t waiting = 0;
  unsigned count = 0;
  each_lane(record.lanes, [&](unsigned lane) {
    for (; count < bits; count += 8) waiting |= std::uint64_t{byte()} << count;
    record.address[lane] = lowest + (static_cast<std::uint32_t>(waiting & mask) << shift);
    waiting >>= bits;
    count -= bits;
  });
}

void SegmentDecoder::texels(InstructionRecord& record) {
  const unsigned head = byte();
  TexelRecord& texture = record.texture;
  texture.texels = static_cast<std::uint8_t>(head & ~some_outside);
  if (!std::has_single_bit(unsigned{texture.texels}) || texture.texels > TexelRecord::most_texels)
    throw TraceDamage("a texture read has an unknown number of texels");
  texture.inside = (head & some_outside) != 0 ? word() : record.memory.lanes;
  const std::array<std::uint32_t, warp_size>* before = &record.memory.address;
  AddressRecord distance;
  for (unsigned i = 0; i + 1 < texture.texels; ++i) {
    SegmentHistory::Place place;
    addresses(distance, record.memory.lanes, place, Remember::nothing);
    for (unsigned lane = 0; lane < warp_size; ++lane)
      texture.further[i][lane] = (*before)[lane] + distance.address[lane];
    before = &texture.further[i];
  }
}

void SegmentDecoder::next(InstructionRecord& record) {
  constexpr std::uint8_t last_kind = 3;
  const unsigned tag = byte();
  record.index = history_.expected();
  if ((tag & jumps) != 0) record.index += static_cast<std::uint32_t>(signed_number());
  if (record.index >= history_.kernel().code.size()) throw TraceDamage("an instruction lies outside the kernel");
  record.active = (tag & new_active) != 0 ? word() : history_.active();
  record.executed = (tag & partly_executed) != 0 ? word() : record.active;
  record.divergent = (tag & diverges) != 0;
  record.finished = (tag & finishes) != 0;
  record.shared.lanes = record.constant.lanes = record.memory.lanes = 0;
  if ((tag & uses_shared) != 0)
    addresses(record.shared, record.executed, history_.place(record.index, 0), Remember::shapes);
  if ((tag & uses_constant) != 0)
    addresses(record.constant, record.executed, history_.place(record.index, 1), Remember::shapes);
  if ((tag & uses_memory) != 0) {
    const std::uint8_t what = byte();
    record.memory_kind = what & 15U;
    record.memory_space = what >> 4U;
    if (record.memory_kind > last_kind || record.memory_space > texture_space)
      throw TraceDamage("an access to device memory has an unknown kind or space");
    addresses(record.memory, record.executed, history_.place(record.index, 2), Remember::shapes);
    if (record.memory_space == texture_space) texels(record);
  }
  history_.follow(record.index, record.active, record.executed);
  --left_;
  if (left_ == 0 && position_ != bytes_.size()) throw TraceDamage("a segment has more bytes than instructions");
}

}  // namespace teslasim
