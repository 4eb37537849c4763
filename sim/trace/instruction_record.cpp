// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/instruction_record.h"

#include <bit>
#include <cstring>

#include "sim/trace/instruction_coding.h"

namespace teslasim {

using namespace trace;  // NOLINT(google-build-using-namespace): the bytes of an instruction

namespace {

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

/// Addresses without a rule: as differences, or packed when that is clearly shorter than differences would be if each
/// were as long as the longest.
Coding coding_without_rule(const std::array<std::uint32_t, warp_size>& address, LaneMask lanes) {
  Coding coding{Pattern::every_lane, 0, {}};
  SegmentEncoder::Packing& packing = coding.packing;
  packing.lowest = ~0U;
  std::uint32_t used = 0, differences = 0;
  const auto coded = [](std::uint32_t value) { return value << 1U ^ (0 - (value >> 31U)); };
  if (lanes == all_lanes) {
    for (const std::uint32_t one : address) packing.lowest = one < packing.lowest ? one : packing.lowest;
    for (const std::uint32_t one : address) used |= one - packing.lowest;
    for (unsigned lane = 1; lane < warp_size; ++lane) differences |= coded(address[lane] - address[lane - 1]);
  } else {
    std::uint32_t before = address[first_lane(lanes)];
    each_lane(lanes, [&](unsigned lane) {
      packing.lowest = address[lane] < packing.lowest ? address[lane] : packing.lowest;
      differences |= coded(address[lane] - before);
      before = address[lane];
    });
    each_lane(lanes, [&](unsigned lane) { used |= address[lane] - packing.lowest; });
  }
  packing.shift = static_cast<unsigned>(std::countr_zero(used));
  packing.bits = static_cast<unsigned>(std::bit_width(used)) - packing.shift;
  const auto count = static_cast<std::size_t>(std::popcount(lanes));
  if (4 * ((packing.bits * count + 7) / 8) < 3 * count * number_bytes(differences)) coding.pattern = Pattern::packed;
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
  expected_ = jump && instruction.branch().target_index != no_index ? instruction.branch().target_index : index + 1;
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
  static_assert(std::endian::native == std::endian::little, "a word is copied as the format orders its bytes");
  std::memcpy(buffer_.data() + size_, &value, sizeof value);
  size_ += sizeof value;
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
  constexpr unsigned word_bits = 32, byte_bits = 8;
  const auto add_lane = [&](unsigned lane) {
    waiting |= std::uint64_t{((*access.address)[lane] - packing.lowest) >> packing.shift} << count;
    count += packing.bits;
    // Written always, kept only when full: no branch that nobody can predict.
    const auto full = static_cast<std::uint32_t>(waiting);
    std::memcpy(buffer_.data() + size_, &full, sizeof full);
    const unsigned taken = count & word_bits;
    size_ += taken / byte_bits;
    waiting >>= taken;
    count -= taken;
  };
  if (access.lanes == all_lanes) {
    for (unsigned lane = 0; lane < warp_size; ++lane) add_lane(lane);
  } else {
    each_lane(access.lanes, add_lane);
  }
  for (unsigned left = 0; left < count; left += byte_bits) put(waiting >> left & 0xffU);
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

}  // namespace teslasim
