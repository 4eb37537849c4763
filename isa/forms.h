// SPDX-License-Identifier: Apache-2.0
// What each operation can hold in each of its forms: kinds of operands, field widths, modifiers, types.
//
// Stands for the operand fields of the instruction words. `encoding_problem` answers "is there a word for this
// instruction, and if not, why"; the assembler puts its answer at the right operand. It does not know labels, the
// instruction set level (`required_sm`) or the alignment of instruction addresses.
// Sources: van der Laan 2008 (decuda), envytools documentation of the G80 family.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "isa/instruction.h"

namespace teslasim {

/// What the field of a source can hold.
enum class SourceField : std::uint8_t {
  unused,                 ///< there is no such source, or it is ignored
  gpr,                    ///< a register
  gpr_or_shared,          ///< a register or s[]
  gpr_or_constant,        ///< a register or c[]
  gpr_constant_or_count,  ///< a register, c[] or a shift count of 7 bits
  number,                 ///< an immediate as wide as the operation, at most 32 bits
  number_16,
  number_4,
  result_again,  ///< the register of the result
  address_register,
  flag_register,
  special_register,
  constant_memory,  ///< c[], s[] or l[] with all of its 16 address bits
  shared_memory,
  local_memory,
  global_memory
};
enum class ResultField : std::uint8_t { no_result, gpr_only, gpr_or_discard, address_result };
enum class FlagField : std::uint8_t { no_flags, optional_flags, always_flags };

/// Which values an operation works on.
enum class TypeRule : std::uint8_t {
  any_types,
  bit_types,          ///< b16 b32
  integers,           ///< u16 s16 u32 s32
  unsigned_integers,  ///< u16 u32
  adder_types,        ///< integers, signed exactly when the sum saturates
  product_types,      ///< of mul24
  product_sum_types,  ///< of mad24
  conversion_types,   ///< what this class of cvt can convert
  memory_types,       ///< what g[] and l[] can hold
  atomic_types        ///< u32 s32 u64
};
enum class SaturationRule : std::uint8_t { no_saturation, can_saturate, saturates_below_f64 };
/// `nearest_or_zero`: zero only in the long form.
enum class RoundingRule : std::uint8_t { nearest_only, nearest_or_zero, every_rounding };

/// The sources of one form, in the order of the assembly text; or that there is no such form.
class SourceFields {
 public:
  constexpr SourceFields() = default;
  constexpr SourceFields(std::initializer_list<SourceField> fields) : exists_(true), size_(fields.size()) {
    std::copy(fields.begin(), fields.end(), fields_.begin());
  }
  [[nodiscard]] static constexpr SourceFields none() {
    SourceFields fields;
    fields.exists_ = true;
    return fields;
  }

  [[nodiscard]] constexpr bool exists() const { return exists_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr SourceField operator[](std::size_t position) const {
    return position < size_ ? fields_[position] : SourceField::unused;
  }

 private:
  bool exists_ = false;
  std::size_t size_ = 0;
  std::array<SourceField, 3> fields_{};
};
/// A form without sources, as that of `nop`.
inline constexpr SourceFields without_sources = SourceFields::none();

/// Positions of sources.
class SourcePositions {
 public:
  constexpr SourcePositions() = default;
  constexpr SourcePositions(std::initializer_list<unsigned> positions) {
    for (const unsigned position : positions) bits_ |= 1U << position;
  }
  [[nodiscard]] constexpr bool contains(std::size_t position) const { return ((bits_ >> position) & 1U) != 0; }

 private:
  unsigned bits_ = 0;
};

/// What one operation can hold: the last part of its row in isa/opcodes.def.
struct FormRow {
  SourceFields long_form{};
  SourceFields short_form{};
  SourceFields immediate_form{};
  bool has_control_form = false;  ///< branches, barriers and the like
  ResultField result = ResultField::no_result;
  FlagField flags = FlagField::no_flags;
  SourcePositions negates{};
  SourcePositions absolutes{};
  SourcePositions inverts{};  ///< complements
  TypeRule types = TypeRule::any_types;
  SaturationRule saturation = SaturationRule::no_saturation;
  RoundingRule rounding = RoundingRule::nearest_only;

  /// The sources of a form; none in the control form.
  [[nodiscard]] const SourceFields& sources(Form form) const;
};

/// The words of opcodes.def, for the files that include it.
namespace row_words {
using enum SourceField;
using enum ResultField;
using enum FlagField;
using enum TypeRule;
using enum SaturationRule;
using enum RoundingRule;
}  // namespace row_words

[[nodiscard]] const FormRow& form_row(Opcode opcode);
[[nodiscard]] bool has_form(Opcode opcode, Form form);
/// Branches, barriers and the like: the control container.
[[nodiscard]] inline bool is_control(Opcode opcode) {
  return form_row(opcode).has_control_form;
}

/// Why there is no instruction word.
struct EncodingProblem {
  enum class Kind : std::uint8_t { form, operand, type, register_number, range };
  enum class Place : std::uint8_t { instruction, flags, destination, source_0, source_1, source_2, store_target };
  Kind kind = Kind::operand;
  Place place = Place::instruction;
  std::string message;
  std::string help;
};

/// The first problem of a finished instruction, or nothing when it can be encoded.
[[nodiscard]] std::optional<EncodingProblem> encoding_problem(const Instruction& instruction);

/// The access type that a source read as `type` has in s[] unless another is written.
[[nodiscard]] ValueType access_type(ValueType type);

/// Reach of the offset field of a memory operand.
struct OffsetField {
  std::int32_t minimum = 0;
  std::int32_t maximum = 0;
  std::int32_t unit = 1;
};
/// Of a memory operand in `field`; its type is the access type (s[]) or operand type (c[]).
[[nodiscard]] OffsetField offset_field(SourceField field, Form form, const Operand& operand);

}  // namespace teslasim
