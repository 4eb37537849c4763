// SPDX-License-Identifier: Apache-2.0
// Moves between registers, flags and address registers, vote, and the bitwise operations.
// Rules: envytools documentation, Tesla data movement and logic instructions.
#include "isa/semantics/families.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/wide.h"

namespace teslasim::semantics {

namespace {

/// Also every load whose value the executor has already fetched and extended: s[], c[], special and address registers.
void copy(const Instruction& /*instruction*/, LaneContext& context) {
  map1(context, [](std::uint32_t a) { return a; });
}

void from_flags(const Instruction& /*instruction*/, LaneContext& context) {
  const FlagPlanes flags = *context.guard;
  write_lanes(context, context.destination, [=](unsigned i) {
    return (select_word(flags.zero, i) & 1U) | (select_word(flags.sign, i) & 2U) | (select_word(flags.carry, i) & 4U) |
           (select_word(flags.overflow, i) & 8U);
  });
}

void to_flags(const Instruction& /*instruction*/, LaneContext& context) {
  const std::uint32_t* const a = aligned(context.source[0]);
  FlagPlanes flags;
  flags.zero = lanes_where([=](unsigned i) { return (a[i] & 1U) != 0; });
  flags.sign = lanes_where([=](unsigned i) { return (a[i] & 2U) != 0; });
  flags.carry = lanes_where([=](unsigned i) { return (a[i] & 4U) != 0; });
  flags.overflow = lanes_where([=](unsigned i) { return (a[i] & 8U) != 0; });
  write_flags(context, flags);
}

constexpr std::uint32_t address_mask = 0xffffU;

void shift_to_address(const Instruction& instruction, LaneContext& context) {
  const std::uint32_t count = instruction.source[1].immediate & 15U;
  map1(context, [=](std::uint32_t a) { return (a << count) & address_mask; });
}

void add_address(const Instruction& instruction, LaneContext& context) {
  const std::uint32_t increment = instruction.source[1].immediate;
  map1(context, [=](std::uint32_t a) { return (a + increment) & address_mask; });
}

/// All executing lanes get the same outcome; true looks like a true `set` (S), false like a false one (Z).
void vote(const Instruction& instruction, LaneContext& context) {
  const LaneMask holding = context.predicate & context.lanes;
  const bool outcome = instruction.vote().kind == VoteKind::any ? holding != 0 : holding == context.lanes;
  FlagPlanes flags;
  flags.zero = outcome ? 0 : all_lanes;
  flags.sign = outcome ? all_lanes : 0;
  write_flags(context, flags);
}

enum class Logic : std::uint8_t { conjunction, disjunction, exclusive, second };

template <unsigned bits, Logic kind>
void logic(const Instruction& instruction, LaneContext& context) {
  const std::uint32_t mask = ~0U >> (32 - bits);
  const std::uint32_t invert_first = instruction.source[0].invert ? ~0U : 0U;
  const std::uint32_t invert_second = instruction.source[1].invert ? ~0U : 0U;
  map2(context, [=](std::uint32_t first, std::uint32_t second) {
    const std::uint32_t a = first ^ invert_first;
    const std::uint32_t b = second ^ invert_second;
    switch (kind) {
      case Logic::conjunction:
        return a & b & mask;
      case Logic::disjunction:
        return (a | b) & mask;
      case Logic::exclusive:
        return (a ^ b) & mask;
      default:
        return b & mask;
    }
  });
  write_integer_flags<bits>(context);
}

template <unsigned bits>
Semantics pick_logic(Opcode opcode) {
  switch (opcode) {
    case Opcode::logic_and:
      return widest<&logic<bits, Logic::conjunction>>();
    case Opcode::logic_or:
      return widest<&logic<bits, Logic::disjunction>>();
    case Opcode::logic_xor:
      return widest<&logic<bits, Logic::exclusive>>();
    default:
      return widest<&logic<bits, Logic::second>>();
  }
}

}  // namespace

Semantics bind_move(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mov_from_flags:
      return widest<&from_flags>();
    case Opcode::mov_to_flags:
      return widest<&to_flags>();
    case Opcode::shift_to_address:
      return widest<&shift_to_address>();
    case Opcode::add_address:
      return widest<&add_address>();
    case Opcode::vote:
      return &vote;
    default:
      return widest<&copy>();
  }
}

Semantics bind_logic(const Instruction& instruction) {
  return bytes_of(instruction.type) == 2 ? pick_logic<16>(instruction.opcode) : pick_logic<32>(instruction.opcode);
}

}  // namespace teslasim::semantics
