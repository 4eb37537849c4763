// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/text/random_instruction.h"

#include <array>
#include <initializer_list>
#include <vector>

#include "isa/forms.h"
#include "tests/frontend/text/random_operands.h"

namespace teslasim::test {
namespace {

using Kind = Operand::Kind;

class Generator : private RandomOperands {
 public:
  Generator(std::mt19937_64& random, Opcode opcode, Form form) : RandomOperands(random, form) {
    i_.opcode = opcode;
    i_.form = form;
    i_.bytes = form == Form::short_form ? 4 : 8;
  }

  Instruction candidate() {
    choose_type();
    choose_destination();
    choose_sources();
    choose_modifiers();
    choose_guard();
    finish(i_);
    return i_;
  }

 private:
  ValueType integer() { return pick({ValueType::u32, ValueType::s32, ValueType::u16, ValueType::s16}); }
  ValueType any_number() {
    return pick({ValueType::u8, ValueType::s8, ValueType::u16, ValueType::s16, ValueType::u32, ValueType::s32,
                 ValueType::u64, ValueType::s64, ValueType::f16, ValueType::f32, ValueType::f64});
  }

  void choose_product() {
    i_.product_24 = chance(50);
    const bool first_signed = chance(50);
    const bool second_signed = i_.product_24 || i_.opcode == Opcode::mad ? first_signed : chance(50);
    const auto type = [this](bool is_signed) {
      if (i_.product_24) return is_signed ? ValueType::s32 : ValueType::u32;
      return is_signed ? ValueType::s16 : ValueType::u16;
    };
    i_.source_type = {type(first_signed), type(second_signed), ValueType::none};
    i_.type = first_signed || second_signed ? ValueType::s32 : ValueType::u32;
    i_.high = i_.product_24 && chance(30);
    if (i_.opcode == Opcode::mad) i_.mad_operation = static_cast<AddKind>(below(4));
    if (i_.opcode == Opcode::mad) i_.saturate = chance(20);
  }

  void choose_type() {
    switch (i_.opcode) {
      case Opcode::add:
      case Opcode::sub:
      case Opcode::subr:
      case Opcode::addc:
        i_.saturate = chance(30);
        i_.type = i_.saturate ? pick({ValueType::s32, ValueType::s16}) : pick({ValueType::u32, ValueType::u16});
        break;
      case Opcode::set:
      case Opcode::max:
      case Opcode::min:
      case Opcode::shr:
      case Opcode::sad:
        i_.type = integer();
        break;
      case Opcode::shl:
        i_.type = pick({ValueType::u32, ValueType::u16});
        break;
      case Opcode::mul:
      case Opcode::mad:
        choose_product();
        break;
      case Opcode::mov:
      case Opcode::load_constant:
      case Opcode::load_shared:
      case Opcode::store_shared:
      case Opcode::logic_and:
      case Opcode::logic_or:
      case Opcode::logic_xor:
      case Opcode::logic_pass:
        i_.type = pick({ValueType::b32, ValueType::b16});
        break;
      case Opcode::convert_int_int:
      case Opcode::convert_int_float:
      case Opcode::convert_float_int:
      case Opcode::convert_float_float:
        i_.type = any_number();
        i_.source_type[0] = any_number();
        break;
      case Opcode::load_local:
      case Opcode::store_local:
      case Opcode::load_global:
      case Opcode::store_global:
        i_.type = pick({ValueType::u8, ValueType::s8, ValueType::u16, ValueType::s16, ValueType::b32, ValueType::b64,
                        ValueType::b128});
        break;
      case Opcode::red:
      case Opcode::atom:
        choose_atomic();
        break;
      default:
        i_.type = default_type();
        break;
    }
  }

  ValueType default_type() const {
    const OpcodeInfo& row = i_.row();
    if (row.unit == UnitClass::dp) return ValueType::f64;
    const bool single = i_.opcode >= Opcode::fadd && i_.opcode <= Opcode::ex2 && i_.opcode != Opcode::slct;
    return single ? ValueType::f32 : ValueType::b32;
  }

  void choose_atomic() {
    using A = AtomicOperation;
    AtomicOperation& operation = i_.atomic().operation;
    operation =
        pick({A::add, A::exch, A::cas, A::inc, A::dec, A::max, A::min, A::logic_and, A::logic_or, A::logic_xor});
    if (i_.opcode == Opcode::red && (operation == A::exch || operation == A::cas)) operation = A::add;
    i_.type = ValueType::u32;
    const bool ordered = operation == A::max || operation == A::min;
    const bool wide = operation == A::add || operation == A::exch || operation == A::cas;
    if (ordered && chance(50)) i_.type = ValueType::s32;
    if (wide && chance(30)) i_.type = ValueType::u64;
  }

  void choose_destination() {
    Operand& destination = i_.destination[0];
    const ResultField field = form_row(i_.opcode).result;
    if (field == ResultField::no_result) return;
    if (field == ResultField::address_result) {
      destination.kind = Kind::address;
      destination.index = static_cast<std::uint8_t>(1 + below(7));
      return;
    }
    const bool fixed_width = i_.opcode == Opcode::sad || i_.opcode == Opcode::load_global ||
                             i_.opcode == Opcode::load_local || i_.opcode == Opcode::fset || i_.opcode == Opcode::dset;
    destination = register_operand(!fixed_width && bytes_of(i_.type) == 2);
    if (field == ResultField::gpr_or_discard && i_.form == Form::long_form && chance(15)) {
      destination = Operand{};
      destination.kind = Kind::discard;
    }
  }

  ValueType narrow_access() { return pick({ValueType::u8, ValueType::u16, ValueType::s16, ValueType::b32}); }

  ValueType source_type(std::size_t position) const {
    if (i_.source_type[position] != ValueType::none) return i_.source_type[position];
    if (position == 2 && (i_.opcode == Opcode::mad || i_.opcode == Opcode::sad)) return ValueType::u32;
    return i_.type;
  }

  Operand source(SourceField field, std::size_t position) {
    const ValueType type = source_type(position);
    const bool half = bytes_of(type) == 2 || (bytes_of(type) == 1 && chance(50));
    const bool memory = chance(30);
    switch (field) {
      case SourceField::gpr_or_shared:
        if (memory) return memory_operand(Kind::shared, field, narrow_access());
        return register_operand(half);
      case SourceField::gpr_or_constant:
      case SourceField::gpr_constant_or_count:
        if (field == SourceField::gpr_constant_or_count && chance(40)) return immediate(field, type);
        if (memory) return memory_operand(Kind::constant, field, type);
        return register_operand(half);
      case SourceField::number:
      case SourceField::number_16:
      case SourceField::number_4:
        return immediate(field, type);
      case SourceField::result_again:
        return i_.destination[0];
      case SourceField::constant_memory:
        return memory_operand(Kind::constant, field, narrow_access());
      case SourceField::shared_memory:
        return memory_operand(Kind::shared, field, narrow_access());
      case SourceField::local_memory:
        return memory_operand(Kind::local, field, i_.type);
      case SourceField::global_memory:
        return memory_operand(Kind::global, field, i_.type);
      case SourceField::address_register:
      case SourceField::flag_register:
      case SourceField::special_register:
        return numbered(field);
      default:
        return register_operand(half && i_.opcode != Opcode::mov_to_flags);
    }
  }

  Operand numbered(SourceField field) {
    Operand operand;
    operand.kind = field == SourceField::address_register ? Kind::address
                   : field == SourceField::flag_register  ? Kind::flags
                                                          : Kind::special;
    operand.index = static_cast<std::uint8_t>(below(field == SourceField::address_register ? 8
                                                    : field == SourceField::flag_register  ? 4
                                                                                           : 16));
    if (field == SourceField::flag_register) i_.guard_flags = operand.index;
    return operand;
  }

  void choose_sources() {
    const SourceFields& fields = form_row(i_.opcode).sources(i_.form);
    for (std::size_t position = 0; position < fields.size(); ++position) {
      const bool absent = fields[position] == SourceField::unused ||
                          (i_.opcode == Opcode::atom && position == 2 && i_.atomic().operation != AtomicOperation::cas);
      if (!absent) i_.source[position] = source(fields[position], position);
    }
    choose_store();
  }

  void choose_store() {
    switch (i_.opcode) {
      case Opcode::store_shared:
        i_.store_target = memory_operand(Kind::shared, SourceField::shared_memory,
                                         pick({ValueType::u8, ValueType::u16, ValueType::b32}));
        i_.source[0] = register_operand(i_.type == ValueType::b16);
        break;
      case Opcode::store_local:
        i_.store_target = memory_operand(Kind::local, SourceField::local_memory, i_.type);
        break;
      case Opcode::store_global:
      case Opcode::red:
        i_.store_target = memory_operand(Kind::global, SourceField::global_memory, i_.type);
        break;
      default:
        return;
    }
    if (i_.opcode != Opcode::store_shared) i_.source[0] = register_operand(false);
  }

  void choose_signs() {
    const FormRow& row = form_row(i_.opcode);
    for (std::size_t position = 0; position < i_.source.size(); ++position) {
      Operand& operand = i_.source[position];
      if (operand.kind == Kind::immediate) continue;
      operand.negate = row.negates.contains(position) && chance(40);
      operand.absolute = row.absolutes.contains(position) && chance(40);
      operand.invert = row.inverts.contains(position) && chance(40);
    }
  }

  void choose_modifiers() {
    choose_signs();
    if (i_.form == Form::long_form) {
      i_.join = chance(10);
      i_.exit = !i_.join && chance(10);
    }
    const FlagField flags = form_row(i_.opcode).flags;
    if (i_.opcode == Opcode::load_shared)
      i_.lock = i_.source[0].type == ValueType::b32 && i_.type == ValueType::b32 && chance(20);
    if (i_.opcode == Opcode::store_shared)
      i_.lock = i_.store_target.type == ValueType::b32 && i_.type == ValueType::b32 && chance(20);
    const bool optional = flags == FlagField::optional_flags && i_.form == Form::long_form &&
                          (i_.opcode == Opcode::load_shared ? i_.lock : chance(20));
    if (flags == FlagField::always_flags || optional || (i_.opcode == Opcode::load_shared && i_.lock))
      i_.flag_destination = static_cast<std::int8_t>(below(4));
    choose_operation_modifiers();
  }

  void choose_operation_modifiers() {
    switch (i_.opcode) {
      case Opcode::set:
        i_.compare = static_cast<Relations>(below(8));
        break;
      case Opcode::fset:
      case Opcode::dset:
        i_.compare = static_cast<Relations>(below(16));
        break;
      case Opcode::fadd:
      case Opcode::fmul:
        i_.rounding = i_.form == Form::long_form && chance(40) ? Rounding::zero : Rounding::nearest;
        i_.saturate = chance(20);
        break;
      case Opcode::fmad:
      case Opcode::ex2:
        i_.saturate = chance(20);
        break;
      case Opcode::dadd:
      case Opcode::dmul:
      case Opcode::dfma:
      case Opcode::convert_int_float:
      case Opcode::convert_float_int:
        i_.rounding = static_cast<Rounding>(below(4));
        break;
      case Opcode::convert_int_int:
      case Opcode::convert_float_float:
        i_.rounding = static_cast<Rounding>(below(4));
        i_.saturate = chance(30);
        i_.round_to_integer = i_.opcode == Opcode::convert_float_float && chance(30);
        break;
      default:
        choose_details();
        break;
    }
  }

  void choose_details() {
    if (has_target(i_.opcode)) i_.branch().target = below(0x3fffff) * 4;
    switch (i_.opcode) {
      case Opcode::slct:
        i_.select().negated = chance(50);
        break;
      case Opcode::vote:
        i_.vote().kind = pick({VoteKind::any, VoteKind::all});
        break;
      case Opcode::call:
        i_.branch().limited = chance(50);
        break;
      case Opcode::pmevent:
        i_.event().number = static_cast<std::uint8_t>(below(16));
        break;
      case Opcode::quadop:
        i_.quad().selected = static_cast<std::uint8_t>(below(8));
        for (QuadOperation& lane : i_.quad().operation) lane = static_cast<QuadOperation>(below(4));
        break;
      case Opcode::mov:
        i_.sfu_hint = i_.form != Form::immediate_form && chance(10);
        if (i_.form == Form::long_form && chance(10)) i_.move().skipped_lanes = static_cast<std::uint8_t>(below(16));
        break;
      case Opcode::bar:
        choose_barrier();
        break;
      case Opcode::tex:
        choose_texture();
        break;
      default:
        break;
    }
  }

  void choose_barrier() {
    i_.barrier().number = static_cast<std::uint8_t>(below(16));
    i_.barrier().arrive = chance(80);
    i_.barrier().wait = !i_.barrier().arrive || chance(60);
    if (chance(30)) i_.barrier().threads = static_cast<std::uint16_t>(below(0x1000));
  }

  void choose_texture() {
    i_.source[0] = register_operand(false);
    i_.source[0].index = static_cast<std::uint8_t>(below(56));
    i_.destination[0] = i_.source[0];
    TextureDetails& texture = i_.texture();
    texture.texture = static_cast<std::uint8_t>(below(32));
    texture.sampler = chance(70) ? texture.texture : static_cast<std::uint8_t>(below(32));
    texture.coordinates = static_cast<std::uint8_t>(1 + below(4));
    texture.live = chance(30);
    texture.result_mask = 15;
    texture.texel_fetch = chance(30);
    if (i_.form == Form::short_form) return;
    texture.result_mask = static_cast<std::uint8_t>(1 + below(15));
    texture.operation = texture.texel_fetch ? TextureOperation::sample : static_cast<TextureOperation>(below(4));
    texture.cube = texture.operation == TextureOperation::sample && !texture.texel_fetch && chance(10);
    texture.derivative = chance(10);
    if (texture.operation != TextureOperation::size && chance(20))
      texture.texel_offsets = static_cast<std::uint16_t>(below(0x1000));
  }

  void choose_guard() {
    const bool carry = i_.reads_carry();
    const bool wide = i_.form == Form::long_form || i_.form == Form::control_form;
    if (i_.opcode == Opcode::vote) {
      i_.condition = static_cast<std::uint8_t>(below(32));
      i_.guard_flags = static_cast<std::uint8_t>(below(4));
      return;
    }
    if (!wide) return;
    if (carry) i_.guard_flags = static_cast<std::uint8_t>(below(4));
    if (i_.ignores_condition() || !chance(30)) return;
    i_.condition = static_cast<std::uint8_t>(below(32));
    const bool taken = carry || i_.opcode == Opcode::mov_from_flags || !i_.predicated();
    if (!taken) i_.guard_flags = static_cast<std::uint8_t>(below(4));
  }

  Instruction i_;
};

}  // namespace

Instruction random_instruction(std::mt19937_64& random, Opcode opcode, Form form) {
  while (true) {
    Instruction candidate = Generator(random, opcode, form).candidate();
    if (!encoding_problem(candidate)) return candidate;
  }
}

Instruction random_instruction(std::mt19937_64& random) {
  while (true) {
    const auto opcode = static_cast<Opcode>(random() % opcode_count);
    const auto form = static_cast<Form>(random() % 4);
    if (has_form(opcode, form)) return random_instruction(random, opcode, form);
  }
}

}  // namespace teslasim::test
