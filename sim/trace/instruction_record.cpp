// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/instruction_record.h"

#include <bit>

namespace teslasim {
namespace {

// The first byte of an instruction.
constexpr unsigned jumps = 1, new_active = 2, partly_executed = 4, diverges = 8, finishes = 16, uses_shared = 32,
                   uses_constant = 64, uses_memory = 128;

// The first byte of an access: width in bits 2:0 (log2 of bytes), pattern in bits 4:3, other lanes than executed in
// bit 5, lanes and distances as before in bit 6.
constexpr unsigned width_mask = 7, pattern_shift = 3, pattern_mask = 3, other_lanes = 32, same_shape = 64;
/// In the byte with the number of texels: some lanes read outside of the image.
constexpr unsigned some_outside = 0x80;
enum class Pattern : std::uint8_t { uniform, stride, every_lane, packed };

unsigned first_lane(LaneMask lanes) {
  return static_cast<unsigned>(std::countr_zero(lanes));
}

std::int64_t difference(std::uint32_t to, std::uint32_t from) {
  return static_cast<std::int32_t>(to - from);
}

template <typename Visit>
void each_lane(LaneMask lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(first_lane(lanes));
}

/// No instruction takes more bytes: 8 texels of 32 lanes with 5 bytes each, three accesses, masks.
constexpr std::size_t most_instruction_bytes = 4096;

struct Coding {
  Pattern pattern = Pattern::uniform;
  std::uint32_t stride = 0;  ///< from one lane number to the next
  SegmentEncoder::Packing packing;
};

std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63U);
}

std::size_t number_bytes(std::uint64_t value) {
  return (static_cast<std::size_t>(std::bit_width(value | 1U)) + 6) / 7;
}

/// Addresses without a rule: as differences, or packed when that is clearly shorter.
Coding coding_without_rule(const std::array<std::uint32_t, warp_size>& address, LaneMask lanes) {
  Coding coding{Pattern::every_lane, 0, {}};
  SegmentEncoder::Packing& packing = coding.packing;
  packing.lowest = ~0U;
  std::size_t as_differences = 0;
  std::uint32_t before = address[first_lane(lanes)];
  each_lane(lanes, [&](unsigned lane) {
    packing.lowest = address[lane] < packing.lowest ? address[lane] : packing.lowest;
    as_differences += number_bytes(zigzag(difference(address[lane], before)));
    before = address[lane];
  });
  std::uint32_t used = 0;
  each_lane(lanes, [&](unsigned lane) { used |= address[lane] - packing.lowest; });
  packing.shift = static_cast<unsigned>(std::countr_zero(used));
  packing.bits = static_cast<unsigned>(std::bit_width(used)) - packing.shift;
  const std::size_t packed = (packing.bits * static_cast<std::size_t>(std::popcount(lanes)) + 7) / 8;
  if (4 * packed < 3 * as_differences) coding.pattern = Pattern::packed;
  return coding;
}

/// The usual case: 32 addresses, compared without branches.
Coding coding_of_all(const std::array<std::uint32_t, warp_size>& address) {
  const std::uint32_t stride = address[1] - address[0];
  std::uint32_t different = 0;
  for (unsigned lane = 1; lane < warp_size; ++lane) different |= (address[lane] - address[lane - 1]) ^ stride;
  if (different != 0) return coding_without_rule(address, all_lanes);
  return {stride == 0 ? Pattern::uniform : Pattern::stride, stride, {}};
}

Coding coding_of_some(const std::array<std::uint32_t, warp_size>& address, LaneMask lanes) {
  const unsigned first = first_lane(lanes);
  const LaneMask rest = lanes & (lanes - 1);
  if (rest == 0) return {};
  const unsigned second = first_lane(rest);
  const auto step = static_cast<std::int32_t>(address[second] - address[first]);
  const auto distance = static_cast<std::int32_t>(second - first);
  if (step % distance != 0) return coding_without_rule(address, lanes);
  const auto stride = static_cast<std::uint32_t>(step / distance);
  bool all = true;
  each_lane(lanes, [&](unsigned lane) { all = all && address[lane] == address[first] + stride * (lane - first); });
  if (!all) return coding_without_rule(address, lanes);
  return {stride == 0 ? Pattern::uniform : Pattern::stride, stride, {}};
}

Coding coding_of(const AddressView& access) {
  if (access.uniform) return {};
  return access.lanes == all_lanes ? coding_of_all(*access.address) : coding_of_some(*access.address, access.lanes);
}

AddressView view_of(const AddressRecord& record) {
  return {record.lanes, record.bytes, false, &record.address};
}

}  // namespace

InstructionView view_of(const InstructionRecord& record) {
  return {record.index,
          record.active,
          record.executed,
          record.divergent,
          record.finished,
          view_of(record.shared),
          view_of(record.constant),
          view_of(record.memory),
          record.memory_kind,
          record.memory_space,
          record.texture.texels,
          record.texture.inside,
          record.texture.further.data()};
}

void SegmentHistory::clear() {
  expected_ = 0;
  active_ = all_lanes;
  places_.assign(places_.size(), {});
  shapes_.clear();
}

void SegmentHistory::remember(Place& place, LaneMask lanes, const std::array<std::uint32_t, warp_size>& address) {
  if (place.shape == Place::none) {
    place.shape = static_cast<std::uint32_t>(shapes_.size());
    shapes_.emplace_back();
  }
  Shape& shape = shapes_[place.shape];
  const std::uint32_t first = address[first_lane(lanes)];
  shape.lanes = lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) shape.distance[lane] = address[lane] - first;
}

void SegmentHistory::follow(std::uint32_t index, LaneMask active, LaneMask executed) {
  active_ = active;
  const Instruction& instruction = kernel_->code[index];
  const bool jump = (instruction.opcode == Opcode::bra && executed != 0) || instruction.opcode == Opcode::call;
  expected_ = jump && instruction.target_index != no_index ? instruction.target_index : index + 1;
}

void SegmentEncoder::clear() {
  history_.clear();
  size_ = 0;
  instructions_ = 0;
}

void SegmentEncoder::number(std::uint64_t value) {
  constexpr unsigned more = 0x80;
  for (; value >= more; value >>= 7U) put(static_cast<unsigned>(value & 0xffU) | more);
  put(static_cast<unsigned>(value));
}

void SegmentEncoder::signed_number(std::int64_t value) {
  number(zigzag(value));
}

void SegmentEncoder::word(std::uint32_t value) {
  for (unsigned i = 0; i < sizeof value; ++i) put(value >> (8 * i) & 0xffU);
}

bool SegmentEncoder::repeats(const AddressView& access, const SegmentHistory::Place& place) const {
  if (place.shape == SegmentHistory::Place::none || access.uniform) return false;
  const SegmentHistory::Shape& shape = history_.shape(place);
  if (shape.lanes != access.lanes) return false;
  const std::array<std::uint32_t, warp_size>& address = *access.address;
  const std::uint32_t first = address[first_lane(access.lanes)];
  std::uint32_t different = 0;
  if (access.lanes == all_lanes) {
    for (unsigned lane = 0; lane < warp_size; ++lane) different |= (address[lane] - first) ^ shape.distance[lane];
  } else {
    each_lane(access.lanes, [&](unsigned lane) { different |= (address[lane] - first) ^ shape.distance[lane]; });
  }
  return different == 0;
}

void SegmentEncoder::addresses(const AddressView& access, LaneMask expected, SegmentHistory::Place& place,
                               Remember remember) {
  const std::array<std::uint32_t, warp_size>& address = *access.address;
  const bool repeated = repeats(access, place);
  const Coding coding = repeated ? Coding{} : coding_of(access);
  const unsigned width = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(access.bytes)));
  const unsigned lanes = access.lanes == expected ? 0 : other_lanes;
  put(width | static_cast<unsigned>(coding.pattern) << pattern_shift | lanes | (repeated ? same_shape : 0));
  if (lanes != 0) word(access.lanes);
  if (coding.pattern == Pattern::packed) {
    packed(access, coding.packing, place);
  } else {
    const std::uint32_t first = access.uniform ? address[0] : address[first_lane(access.lanes)];
    signed_number(difference(first, place.base));
    place.base = first;
  }
  if (coding.pattern == Pattern::stride) signed_number(static_cast<std::int32_t>(coding.stride));
  if (coding.pattern == Pattern::every_lane) {
    std::uint32_t before = place.base;
    each_lane(access.lanes & (access.lanes - 1), [&](unsigned lane) {
      signed_number(difference(address[lane], before));
      before = address[lane];
    });
  }
  const bool without_rule = coding.pattern == Pattern::every_lane || coding.pattern == Pattern::packed;
  if (without_rule && remember == Remember::shapes) history_.remember(place, access.lanes, address);
}

void SegmentEncoder::packed(const AddressView& access, const Packing& packing, SegmentHistory::Place& place) {
  signed_number(difference(packing.lowest, place.base));
  place.base = packing.lowest;
  put(packing.bits);
  put(packing.shift);
  std::uint64_t waiting = 0;
  unsigned count = 0;
  each_lane(access.lanes, [&](unsigned lane) {
    waiting |= std::uint64_t{((*access.address)[lane] - packing.lowest) >> packing.shift} << count;
    for (count += packing.bits; count >= 8; count -= 8, waiting >>= 8U) put(waiting & 0xffU);
  });
  if (count != 0) put(waiting & 0xffU);
}

/// Each further texel as its distance from the one before, lane by lane.
void SegmentEncoder::texels(const InstructionView& instruction) {
  const LaneMask lanes = instruction.memory.lanes;
  put(instruction.texels | (instruction.inside == lanes ? 0 : some_outside));
  if (instruction.inside != lanes) word(instruction.inside);
  const std::array<std::uint32_t, warp_size>* before = instruction.memory.address;
  for (unsigned i = 0; i + 1 < instruction.texels; ++i) {
    const std::array<std::uint32_t, warp_size>& address = instruction.further[i];
    std::array<std::uint32_t, warp_size> distance{};
    for (unsigned lane = 0; lane < warp_size; ++lane) distance[lane] = address[lane] - (*before)[lane];
    SegmentHistory::Place place;
    addresses({lanes, 1, false, &distance}, lanes, place, Remember::nothing);
    before = &address;
  }
}

void SegmentEncoder::add(const InstructionView& instruction) {
  if (buffer_.size() < size_ + most_instruction_bytes) buffer_.resize(2 * buffer_.size() + most_instruction_bytes);
  unsigned tag = 0;
  if (instruction.index != history_.expected()) tag |= jumps;
  if (instruction.active != history_.active()) tag |= new_active;
  if (instruction.executed != instruction.active) tag |= partly_executed;
  if (instruction.divergent) tag |= diverges;
  if (instruction.finished) tag |= finishes;
  if (instruction.shared.lanes != 0) tag |= uses_shared;
  if (instruction.constant.lanes != 0) tag |= uses_constant;
  if (instruction.memory.lanes != 0) tag |= uses_memory;
  put(tag);
  if ((tag & jumps) != 0) signed_number(difference(instruction.index, history_.expected()));
  if ((tag & new_active) != 0) word(instruction.active);
  if ((tag & partly_executed) != 0) word(instruction.executed);
  if ((tag & uses_shared) != 0)
    addresses(instruction.shared, instruction.executed, history_.place(instruction.index, 0), Remember::shapes);
  if ((tag & uses_constant) != 0)
    addresses(instruction.constant, instruction.executed, history_.place(instruction.index, 1), Remember::shapes);
  if ((tag & uses_memory) != 0) {
    put(instruction.memory_kind | static_cast<unsigned>(instruction.memory_space) << 4U);
    addresses(instruction.memory, instruction.executed, history_.place(instruction.index, 2), Remember::shapes);
    if (instruction.memory_space == texture_space) texels(instruction);
  }
  history_.follow(instruction.index, instruction.active, instruction.executed);
  ++instructions_;
}

void SegmentDecoder::open(std::string bytes, std::uint32_t instructions) {
  history_.clear();
  bytes_ = std::move(bytes);
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
