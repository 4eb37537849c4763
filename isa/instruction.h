// SPDX-License-Identifier: Apache-2.0
// A decoded static instruction: immutable after `finish`, shared by all warps.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "isa/instruction_details.h"
#include "isa/opcode.h"
#include "isa/register_set.h"

namespace teslasim {

enum class ValueType : std::uint8_t { none, u8, s8, u16, s16, b16, u32, s32, b32, f16, f32, u64, s64, b64, f64, b128 };

[[nodiscard]] constexpr unsigned bytes_of(ValueType type) {
  switch (type) {
    case ValueType::none:
      return 0;
    case ValueType::u8:
    case ValueType::s8:
      return 1;
    case ValueType::u16:
    case ValueType::s16:
    case ValueType::b16:
    case ValueType::f16:
      return 2;
    case ValueType::u64:
    case ValueType::s64:
    case ValueType::b64:
    case ValueType::f64:
      return 8;
    case ValueType::b128:
      return 16;
    default:
      return 4;
  }
}
[[nodiscard]] constexpr bool is_signed(ValueType type) {
  return type == ValueType::s8 || type == ValueType::s16 || type == ValueType::s32 || type == ValueType::s64;
}

/// One operand. Which members mean something depends on `kind`.
struct Operand {
  enum class Kind : std::uint8_t {
    none,
    gpr,        ///< `index`, `half`; 64-bit operands name the even register of the pair, 128-bit the first of four
    address,    ///< $a register `index` 0..7 ($a0 reads 0)
    flags,      ///< $c register `index` 0..3
    immediate,  ///< `immediate`
    shared,     ///< s[$a(address_register) + offset], access `type` u8/u16/s16/b32 (sub-word values are extended)
    constant,   ///< c`bank`[$a + offset]
    local,      ///< l[$a + offset]
    global,     ///< g`bank`[$r index]
    special,    ///< %physid, %clock, %pm0..3: `index` as in the S2R field (0 physid, 1 clock, 4-7 pm)
    discard,    ///< the bit bucket $o127: no register is written
  };
  enum class Half : std::uint8_t { full, low, high };

  Kind kind = Kind::none;
  Half half = Half::full;            ///< gpr: which half a 16-bit operand names
  ValueType type = ValueType::none;  ///< width and interpretation of this operand (memory operands: of the access)
  std::uint8_t index = 0;
  std::uint8_t bank = 0;              ///< constant bank or global segment
  std::uint8_t address_register = 0;  ///< memory operands: $a number, 0 = none
  bool post_increment = false;        ///< $a += offset after the access; the address used is the old value
  bool negate = false;
  bool absolute = false;
  bool invert = false;  ///< logic operations: bitwise complement
  std::int32_t offset = 0;
  std::uint32_t immediate = 0;

  friend bool operator==(const Operand&, const Operand&) = default;
};

enum class Form : std::uint8_t { long_form, short_form, immediate_form, control_form };
enum class Rounding : std::uint8_t { nearest, down, up, zero };
/// Integer mad: what happens to the product. In the order of the codes.
enum class AddKind : std::uint8_t { add = 0, sub = 1, subr = 2, addc = 3 };
/// set: the relations for which it is true; a sum of these, in the code of the instruction word.
enum class Relations : std::uint8_t { no_relation = 0, less = 1, equal = 2, greater = 4, unordered = 8 };
[[nodiscard]] constexpr bool includes(Relations comparison, Relations relation) {
  return (static_cast<unsigned>(comparison) & static_cast<unsigned>(relation)) != 0;
}

inline constexpr std::uint8_t condition_never = 0;
inline constexpr std::uint8_t condition_always = 15;
/// `BranchDetails::target_index` of a branch whose target is not the start of an instruction.
inline constexpr std::uint32_t no_index = ~std::uint32_t{0};
/// "Allocation unknown": every register counts as present.
inline constexpr unsigned all_registers = 128;

struct Instruction;
struct LaneContext;  // isa/semantics/lanes.h
/// Performs the data operation of one instruction for the lanes of one warp; chosen once, by `bind_semantics`.
using Semantics = void (*)(const Instruction&, LaneContext&);

/// Everything static about one instruction of a kernel. What simulations look at lies in the first line of the host's
/// cache.
struct alignas(64) Instruction {
  Opcode opcode = Opcode::nop;
  Form form = Form::long_form;
  std::uint8_t bytes = 8;                     ///< 4 (short) or 8
  bool join = false;                          ///< .join: pop the divergence stack before this instruction
  bool exit = false;                          ///< .end: the thread ends after this instruction
  std::uint8_t condition = condition_always;  ///< condition code 0..31 tested on $c[guard_flags]
  std::uint8_t guard_flags = 0;               ///< also the carry input of addc and mad.addc, source of mov r,$c
  std::int8_t flag_destination = -1;          ///< $c register written, -1 none
  ValueType type = ValueType::b32;            ///< operation type (integer size and sign, float width)
  /// How the operation reads source i. Producers set it for cvt ([0]), mul and mad ([0], [1]); `finish` fills the rest.
  /// For an s[] source it is independent of the access: `cvt.s32.s8` sign-extends the byte of a u8 access itself.
  std::array<ValueType, 3> source_type{};
  Rounding rounding = Rounding::nearest;
  bool saturate = false;
  bool round_to_integer = false;  ///< cvt float to float with an integral result (.rni etc.)
  bool high = false;              ///< mul24/mad24: bits 47:16 of the 48-bit product
  bool product_24 = false;        ///< mul/mad: 24x24 instead of 16x16
  AddKind mad_operation = AddKind::add;
  Relations compare = Relations::no_relation;
  bool lock = false;      ///< shared load: lock; shared store: unlock (sm_12)
  bool sfu_hint = false;  ///< mov, fmul: issue to the SFU pipe (no functional meaning)

  std::uint32_t pc = 0;           ///< byte offset in the kernel's code
  std::uint32_t index = 0;        ///< position in Kernel::code
  std::uint32_t source_line = 0;  ///< 0 = unknown

  std::array<Operand, 1> destination{};  ///< kind none when nothing is written
  std::array<Operand, 3> source{};       ///< in the order of the assembly text; stores: [0] is the data
  Operand store_target{};                ///< stores, red: the memory operand written
  InstructionDetails details;            ///< of one kind of operation; the accessors below check which

  /// Words of a binary: bits without effect that differ from what compilers set there (first word low). 0 for assembly.
  std::uint64_t unused_bits = 0;

  // Derived by `finish` (isa/instruction.cpp); constant afterwards.
  RegisterSet reads;
  RegisterSet writes;
  std::uint8_t operand_reads = 0;  ///< distinct 32-bit registers read from the register file (64-bit operands count 2)
  bool reads_shared_operand = false;  ///< any source is s[]
  bool reads_constant_operand = false;
  Semantics semantics = nullptr;

  [[nodiscard]] const OpcodeInfo& row() const { return info(opcode); }
  [[nodiscard]] UnitClass unit() const { return row().unit; }
  /// True when the condition field is not a guard: ignored by the hardware (call, breakaddr, joinat, bar, trap,
  /// quadon/pop, nop, pmevent) or the input of the operation (vote).
  [[nodiscard]] bool ignores_condition() const;
  [[nodiscard]] bool predicated() const { return condition != condition_always && !ignores_condition(); }
  /// True when the instruction touches shared memory, as an operand, a load or a store.
  [[nodiscard]] bool accesses_shared() const { return reads_shared_operand || opcode == Opcode::store_shared; }
  /// addc and mad.addc: $c[guard_flags] is an input.
  [[nodiscard]] bool reads_carry() const {
    return opcode == Opcode::addc || (opcode == Opcode::mad && mad_operation == AddKind::addc);
  }

  // Each kind of details; InternalError when the instruction has another one. Details that nobody set are the usual
  // ones.
  [[nodiscard]] const MoveDetails& move() const { return get<MoveDetails>(); }
  [[nodiscard]] MoveDetails& move() { return edit<MoveDetails>(); }
  [[nodiscard]] const VoteDetails& vote() const { return get<VoteDetails>(); }
  [[nodiscard]] VoteDetails& vote() { return edit<VoteDetails>(); }
  [[nodiscard]] const SelectDetails& select() const { return get<SelectDetails>(); }
  [[nodiscard]] SelectDetails& select() { return edit<SelectDetails>(); }
  [[nodiscard]] const QuadDetails& quad() const { return get<QuadDetails>(); }
  [[nodiscard]] QuadDetails& quad() { return edit<QuadDetails>(); }
  [[nodiscard]] const AtomicDetails& atomic() const { return get<AtomicDetails>(); }
  [[nodiscard]] AtomicDetails& atomic() { return edit<AtomicDetails>(); }
  [[nodiscard]] const TextureDetails& texture() const { return get<TextureDetails>(); }
  [[nodiscard]] TextureDetails& texture() { return edit<TextureDetails>(); }
  [[nodiscard]] const BranchDetails& branch() const { return get<BranchDetails>(); }
  [[nodiscard]] BranchDetails& branch() { return edit<BranchDetails>(); }
  [[nodiscard]] const BarrierDetails& barrier() const { return get<BarrierDetails>(); }
  [[nodiscard]] BarrierDetails& barrier() { return edit<BarrierDetails>(); }
  [[nodiscard]] const PerformanceEventDetails& event() const { return get<PerformanceEventDetails>(); }
  [[nodiscard]] PerformanceEventDetails& event() { return edit<PerformanceEventDetails>(); }

 private:
  template <typename Kind>
  static constexpr Kind usual{};

  template <typename Kind>
  [[nodiscard]] const Kind& get() const {
    if (const Kind* found = std::get_if<Kind>(&details)) [[likely]]
      return *found;
    if (!std::holds_alternative<std::monostate>(details)) refuse_details(opcode);
    return usual<Kind>;
  }
  template <typename Kind>
  [[nodiscard]] Kind& edit() {
    if (std::holds_alternative<std::monostate>(details)) return details.emplace<Kind>();
    Kind* const found = std::get_if<Kind>(&details);
    if (found == nullptr) refuse_details(opcode);
    return *found;
  }
};

/// Fills the derived members of `instruction` except `semantics`, and the types of its register, immediate and c[]
/// operands (they follow from the operation); details that were not set become the usual ones. Registers from
/// `registers` on do not exist for the kernel: reading them gives 0 and writing them does nothing, so they are left out
/// of `reads`, `writes` and `operand_reads`.
void finish(Instruction& instruction, unsigned registers = all_registers);

/// True when both do the same in the same form; place (`pc`, `index`, `source_line`) and derived members are ignored.
[[nodiscard]] bool equivalent(const Instruction& left, const Instruction& right);

/// The first compute capability (10..13) that executes the instruction, its modifiers included.
[[nodiscard]] std::uint8_t required_sm(const Instruction& instruction);

}  // namespace teslasim
