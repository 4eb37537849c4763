// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/instruction_record.h"

#include <bit>

namespace teslasim {
namespace {

// The first byte of an instruction.
constexpr unsigned jumps = 1, new_active = 2, partly_executed = 4, diverges = 8, finishes = 16, uses_shared = 32,
                   uses_constant = 64, uses_memory = 128;

// The first byte of an access: width in bits 2:0 (log2 of bytes), pattern in bits 4:3, other lanes than executed in
// bit 5.
constexpr unsigned width_mask = 7, pattern_shift = 3, pattern_mask = 3, other_lanes = 32;
enum class Pattern : std::uint8_t { uniform, stride, every_lane };

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

/// The distance per lane number that explains all addresses, or no pattern.
Pattern pattern_of(const AddressRecord& record, std::uint32_t& stride) {
  const unsigned first = first_lane(record.lanes);
  const LaneMask rest = record.lanes & (record.lanes - 1);
  stride = 0;
  if (rest == 0) return Pattern::uniform;
  const unsigned second = first_lane(rest);
  const std::uint32_t step = record.address[second] - record.address[first];
  if (step % (second - first) != 0 && static_cast<std::int32_t>(step) % static_cast<std::int32_t>(second - first) != 0)
    return Pattern::every_lane;
  stride = static_cast<std::uint32_t>(static_cast<std::int32_t>(step) / static_cast<std::int32_t>(second - first));
  bool all = true;
  each_lane(record.lanes, [&](unsigned lane) {
    all = all && record.address[lane] == record.address[first] + stride * (lane - first);
  });
  if (!all) return Pattern::every_lane;
  return stride == 0 ? Pattern::uniform : Pattern::stride;
}

}  // namespace

void SegmentHistory::clear() {
  expected_ = 0;
  active_ = all_lanes;
  bases_.assign(bases_.size(), {});
}

void SegmentHistory::follow(const InstructionRecord& record) {
  active_ = record.active;
  const Instruction& instruction = kernel_->code[record.index];
  const bool jump = (instruction.opcode == Opcode::bra && record.executed != 0) || instruction.opcode == Opcode::call;
  expected_ = jump && instruction.target_index != no_index ? instruction.target_index : record.index + 1;
}

void SegmentEncoder::clear() {
  history_.clear();
  bytes_.clear();
  instructions_ = 0;
}

void SegmentEncoder::number(std::uint64_t value) {
  constexpr unsigned more = 0x80;
  for (; value >= more; value >>= 7U) bytes_ += static_cast<char>(value | more);
  bytes_ += static_cast<char>(value);
}

void SegmentEncoder::signed_number(std::int64_t value) {
  number(static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63U));
}

void SegmentEncoder::word(std::uint32_t value) {
  for (unsigned i = 0; i < sizeof value; ++i) bytes_ += static_cast<char>(value >> (8 * i));
}

void SegmentEncoder::addresses(const AddressRecord& record, LaneMask expected, std::uint32_t& base) {
  std::uint32_t stride = 0;
  const Pattern pattern = pattern_of(record, stride);
  const unsigned width = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(record.bytes)));
  const unsigned lanes = record.lanes == expected ? 0 : other_lanes;
  bytes_ += static_cast<char>(width | static_cast<unsigned>(pattern) << pattern_shift | lanes);
  if (lanes != 0) word(record.lanes);
  const std::uint32_t first = record.address[first_lane(record.lanes)];
  signed_number(difference(first, base));
  base = first;
  if (pattern == Pattern::stride) signed_number(static_cast<std::int32_t>(stride));
  if (pattern != Pattern::every_lane) return;
  std::uint32_t before = first;
  each_lane(record.lanes & (record.lanes - 1), [&](unsigned lane) {
    signed_number(difference(record.address[lane], before));
    before = record.address[lane];
  });
}

void SegmentEncoder::add(const InstructionRecord& record) {
  unsigned tag = 0;
  if (record.index != history_.expected()) tag |= jumps;
  if (record.active != history_.active()) tag |= new_active;
  if (record.executed != record.active) tag |= partly_executed;
  if (record.divergent) tag |= diverges;
  if (record.finished) tag |= finishes;
  if (record.shared.lanes != 0) tag |= uses_shared;
  if (record.constant.lanes != 0) tag |= uses_constant;
  if (record.memory.lanes != 0) tag |= uses_memory;
  bytes_ += static_cast<char>(tag);
  if ((tag & jumps) != 0) signed_number(difference(record.index, history_.expected()));
  if ((tag & new_active) != 0) word(record.active);
  if ((tag & partly_executed) != 0) word(record.executed);
  if ((tag & uses_shared) != 0) addresses(record.shared, record.executed, history_.base(record.index, 0));
  if ((tag & uses_constant) != 0) addresses(record.constant, record.executed, history_.base(record.index, 1));
  if ((tag & uses_memory) != 0) {
    bytes_ += static_cast<char>(record.memory_kind | record.memory_space << 4U);
    addresses(record.memory, record.executed, history_.base(record.index, 2));
  }
  history_.follow(record);
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

void SegmentDecoder::addresses(AddressRecord& record, LaneMask expected, std::uint32_t& base) {
  constexpr unsigned widest = 4;
  const unsigned head = byte();
  const unsigned pattern = head >> pattern_shift & pattern_mask;
  if ((head & width_mask) > widest || pattern > static_cast<unsigned>(Pattern::every_lane))
    throw TraceDamage("an access has an unknown width or pattern");
  record.bytes = static_cast<std::uint8_t>(1U << (head & width_mask));
  record.lanes = (head & other_lanes) != 0 ? word() : expected;
  if (record.lanes == 0) throw TraceDamage("an access has no lanes");
  base += static_cast<std::uint32_t>(signed_number());
  record.address.fill(base);
  const unsigned first = first_lane(record.lanes);
  if (pattern == static_cast<unsigned>(Pattern::stride)) {
    const auto stride = static_cast<std::uint32_t>(signed_number());
    each_lane(record.lanes, [&](unsigned lane) { record.address[lane] = base + stride * (lane - first); });
  }
  if (pattern != static_cast<unsigned>(Pattern::every_lane)) return;
  std::uint32_t before = base;
  each_lane(record.lanes & (record.lanes - 1), [&](unsigned lane) {
    before += static_cast<std::uint32_t>(signed_number());
    record.address[lane] = before;
  });
}

void SegmentDecoder::next(InstructionRecord& record) {
  constexpr std::uint8_t last_kind = 3, last_space = 2;
  const unsigned tag = byte();
  record.index = history_.expected();
  if ((tag & jumps) != 0) record.index += static_cast<std::uint32_t>(signed_number());
  if (record.index >= history_.kernel().code.size()) throw TraceDamage("an instruction lies outside the kernel");
  record.active = (tag & new_active) != 0 ? word() : history_.active();
  record.executed = (tag & partly_executed) != 0 ? word() : record.active;
  record.divergent = (tag & diverges) != 0;
  record.finished = (tag & finishes) != 0;
  record.shared.lanes = record.constant.lanes = record.memory.lanes = 0;
  if ((tag & uses_shared) != 0) addresses(record.shared, record.executed, history_.base(record.index, 0));
  if ((tag & uses_constant) != 0) addresses(record.constant, record.executed, history_.base(record.index, 1));
  if ((tag & uses_memory) != 0) {
    const std::uint8_t what = byte();
    record.memory_kind = what & 15U;
    record.memory_space = what >> 4U;
    if (record.memory_kind > last_kind || record.memory_space > last_space)
      throw TraceDamage("an access to device memory has an unknown kind or space");
    addresses(record.memory, record.executed, history_.base(record.index, 2));
  }
  history_.follow(record);
  --left_;
  if (left_ == 0 && position_ != bytes_.size()) throw TraceDamage("a segment has more bytes than instructions");
}

}  // namespace teslasim
