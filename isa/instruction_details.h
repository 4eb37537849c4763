// SPDX-License-Identifier: Apache-2.0
// What only some operations say: one struct per kind. An instruction holds those of its operation, or none.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "isa/opcode.h"

namespace teslasim {

/// mov
struct MoveDetails {
  std::uint8_t skipped_lanes = 0;  ///< lanes of each quad that are NOT written, bit i = lane i; 0 = ordinary mov

  friend bool operator==(const MoveDetails&, const MoveDetails&) = default;
};

enum class VoteKind : std::uint8_t { any, all };
/// vote
struct VoteDetails {
  VoteKind kind = VoteKind::any;

  friend bool operator==(const VoteDetails&, const VoteDetails&) = default;
};

/// slct
struct SelectDetails {
  bool negated = false;  ///< tests the negated value

  friend bool operator==(const SelectDetails&, const SelectDetails&) = default;
};

/// In the order of the codes: selected + own, own - selected, selected - own, own.
enum class QuadOperation : std::uint8_t { add, subr, sub, pass };
/// quadop
struct QuadDetails {
  std::uint8_t selected = 0;                 ///< 0..3 lane of the quad, 4 dx, 5 dy
  std::array<QuadOperation, 4> operation{};  ///< of each lane of the quad

  friend bool operator==(const QuadDetails&, const QuadDetails&) = default;
};

enum class AtomicOperation : std::uint8_t {
  add = 0,
  exch = 1,
  cas = 2,
  inc = 4,
  dec = 5,
  max = 6,
  min = 7,
  logic_and = 10,
  logic_or = 11,
  logic_xor = 12
};
/// red, atom
struct AtomicDetails {
  AtomicOperation operation = AtomicOperation::add;

  friend bool operator==(const AtomicDetails&, const AtomicDetails&) = default;
};

enum class TextureOperation : std::uint8_t { sample, bias, level, size };
/// tex
struct TextureDetails {
  std::uint8_t texture = 0;
  std::uint8_t sampler = 0;
  std::uint8_t coordinates = 0;  ///< number of argument registers 1..4, with the bias or level of detail
  std::uint8_t result_mask = 0;  ///< components written
  TextureOperation operation = TextureOperation::sample;
  bool texel_fetch = false;         ///< integer coordinates
  bool cube = false;                ///< cube map
  bool live = false;                ///< only lanes that are really active fetch
  bool derivative = false;          ///< derivative mode bit
  std::uint16_t texel_offsets = 0;  ///< signed offsets, four bits each, x lowest

  /// The last argument is no coordinate.
  [[nodiscard]] bool has_extra_argument() const {
    return operation == TextureOperation::bias || operation == TextureOperation::level;
  }
  friend bool operator==(const TextureDetails&, const TextureDetails&) = default;
};

/// bra, call, breakaddr, joinat
struct BranchDetails {
  std::uint32_t target = 0;        ///< byte offset in the kernel's code
  std::uint32_t target_index = 0;  ///< position in Kernel::code, set by `finish_kernel`
  bool limited = false;            ///< call.lim

  /// `target_index` follows from the place of the instruction.
  friend bool operator==(const BranchDetails& left, const BranchDetails& right) {
    return left.target == right.target && left.limited == right.limited;
  }
};

/// bar
struct BarrierDetails {
  std::uint8_t number = 0;
  bool arrive = true;
  bool wait = true;
  std::uint16_t threads = 0xfff;  ///< 0xfff = all threads of the block

  friend bool operator==(const BarrierDetails&, const BarrierDetails&) = default;
};

/// pmevent
struct PerformanceEventDetails {
  std::uint8_t number = 0;

  friend bool operator==(const PerformanceEventDetails&, const PerformanceEventDetails&) = default;
};

using InstructionDetails =
    std::variant<std::monostate, MoveDetails, VoteDetails, SelectDetails, QuadDetails, AtomicDetails, TextureDetails,
                 BranchDetails, BarrierDetails, PerformanceEventDetails>;

/// What an operation says when nothing is written.
[[nodiscard]] InstructionDetails usual_details(Opcode opcode);
/// Whether instructions of this kind name another one: branches, calls and the addresses for join and break.
[[nodiscard]] bool has_target(Opcode opcode);

/// An instruction was asked for details of another kind of operation: a mistake of ours.
[[noreturn]] void refuse_details(Opcode opcode);

}  // namespace teslasim
