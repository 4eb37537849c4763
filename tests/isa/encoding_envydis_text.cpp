// SPDX-License-Identifier: Apache-2.0
#include "encoding_envydis_text.h"

#include <fmt/format.h>

#include <array>

#include "encoding_envydis_operand.h"

namespace teslasim {
namespace {

using Kind = Operand::Kind;

/// Words separated by spaces; empty ones vanish.
class Line {
 public:
  Line& add(std::string_view word) {
    if (word.empty()) return *this;
    if (!text_.empty()) text_ += ' ';
    text_ += word;
    return *this;
  }
  Line& add_if(bool condition, std::string_view word) { return condition ? add(word) : *this; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

constexpr std::array<std::string_view, 4> rounding_names{"rn", "rm", "rp", "rz"};
std::string_view rounding_text(const Instruction& i) {
  return rounding_names[static_cast<std::size_t>(i.rounding)];
}

std::string flag_text(const Instruction& i) {
  return i.flag_destination < 0 ? "" : fmt::format("$c{}", i.flag_destination);
}

/// Source `position` with its modifiers.
std::string source_text(const Instruction& i, std::size_t position) {
  const Operand& operand = i.source[position];
  return Line()
      .add_if(operand.negate, "neg")
      .add_if(operand.absolute, "abs")
      .add_if(operand.invert, "not")
      .add(operand_text(operand))
      .text();
}

std::string guard_text(const Instruction& i) {
  constexpr std::array<std::string_view, 32> names{
      "never", "l", "e", "le", "g", "lg", "ge", "lge", "u", "lu", "eu", "leu", "gu", "lgu", "geu", "",
      "o",     "c", "a", "s",  "",  "",   "",   "",    "",  "",   "",   "",    "ns", "na",  "nc",  "no"};
  constexpr unsigned condition_low = 39;
  constexpr std::uint64_t condition_mask = 31;
  if (i.opcode == Opcode::nop) return (i.unused_bits >> condition_low & condition_mask) == 0 ? "(never)" : "";
  if (i.condition == condition_never) return "(never)";
  if (i.condition == condition_always) return "";
  return fmt::format("({} $c{})", names[i.condition], i.guard_flags);
}

void flags_and_result(Line& line, const Instruction& i) {
  line.add(flag_text(i)).add(operand_text(i.destination[0]));
}

void sources(Line& line, const Instruction& i) {
  for (std::size_t position = 0; position < i.source.size(); ++position) line.add(source_text(i, position));
}

std::string_view comparison_text(const Instruction& i) {
  constexpr std::array<std::string_view, 16> names{"never", "l",  "e",  "le",  "g",  "lg",  "ge",  "lge",
                                                   "u",     "lu", "eu", "leu", "gu", "lgu", "geu", "always"};
  constexpr unsigned all_ordered = 7;
  const auto mask = static_cast<unsigned>(i.compare);
  return i.opcode == Opcode::set && mask == all_ordered ? names[15] : names[mask];
}

std::string_view add_text(unsigned operation) {
  constexpr std::array<std::string_view, 4> names{"add", "sub", "subr", "addc"};
  return names[operation];
}

void print_adder(Line& line, const Instruction& i, unsigned operation) {
  const bool long_form = i.form == Form::long_form;
  line.add(add_text(operation)).add_if(i.saturate && !long_form, "sat").add(size_text(i.type));
  line.add_if(i.saturate && long_form, "sat");
  flags_and_result(line, i);
  sources(line, i);
  line.add_if(i.opcode == Opcode::addc, fmt::format("$c{}", i.guard_flags));
}

std::string_view product_type(const Instruction& i, std::size_t position) {
  const bool is_signed_source = is_signed(i.source_type[position]);
  if (i.product_24) return is_signed_source ? "s24" : "u24";
  return is_signed_source ? "s16" : "u16";
}

void print_mul(Line& line, const Instruction& i) {
  line.add("mul");
  flags_and_result(line, i);
  line.add_if(i.high, "high").add(product_type(i, 0)).add(source_text(i, 0));
  line.add_if(!i.product_24, product_type(i, 1)).add(source_text(i, 1));
}

void print_mad(Line& line, const Instruction& i) {
  line.add(add_text(static_cast<unsigned>(i.mad_operation))).add_if(i.saturate, "sat");
  flags_and_result(line, i);
  line.add("(mul").add_if(i.high, "high").add(product_type(i, 0)).add(source_text(i, 0));
  line.add(source_text(i, 1) + ")").add(source_text(i, 2));
  line.add_if(i.mad_operation == AddKind::addc, fmt::format("$c{}", i.guard_flags));
}

/// Rounding words of a conversion; where the field has no effect none is printed.
std::string conversion_rounding(const Instruction& i) {
  const std::string name{rounding_text(i)};
  const ValueType from = i.source_type[0];
  switch (i.opcode) {
    case Opcode::convert_int_int:
      return "";
    case Opcode::convert_int_float:
      return name;
    case Opcode::convert_float_int:
      return name + "i";
    default:
      break;
  }
  if (bytes_of(i.type) < bytes_of(from)) return name;
  if (bytes_of(i.type) > bytes_of(from)) return "";
  return i.round_to_integer ? name + "i" : "";
}

void print_convert(Line& line, const Instruction& i) {
  const bool to_byte = i.opcode == Opcode::convert_int_int && i.saturate;
  const Operand& source = i.source[0];
  line.add("cvt").add_if(source.negate, "neg").add_if(source.absolute, "abs").add_if(i.saturate && !to_byte, "sat");
  line.add(conversion_rounding(i)).add(to_byte ? (is_signed(i.type) ? "s8" : "u8") : type_text(i.type));
  flags_and_result(line, i);
  line.add(type_text(i.source_type[0])).add(operand_text(source));
}

void print_float(Line& line, const Instruction& i, std::string_view name, bool has_rounding) {
  line.add(name).add_if(i.saturate && i.opcode != Opcode::ex2, "sat");
  line.add_if(has_rounding && i.form == Form::long_form, rounding_text(i)).add(type_text(i.type));
  line.add_if(i.saturate && i.opcode == Opcode::ex2, "sat");
  flags_and_result(line, i);
  sources(line, i);
}

void print_fmad(Line& line, const Instruction& i) {
  line.add("add").add_if(i.saturate, "sat").add("f32");
  flags_and_result(line, i);
  line.add_if(i.source[0].negate, "neg").add("(mul").add(operand_text(i.source[0]));
  line.add(source_text(i, 1) + ")").add(source_text(i, 2));
}

void print_set(Line& line, const Instruction& i) {
  line.add("set");
  flags_and_result(line, i);
  line.add(comparison_text(i)).add(type_text(i.type));
  sources(line, i);
}

void print_typed(Line& line, const Instruction& i, std::string_view name, std::string_view type) {
  line.add(name).add(type);
  flags_and_result(line, i);
  sources(line, i);
}

/// The words of the ignored first source of logic_pass.
std::string ignored_source(const Instruction& i) {
  const auto raw = static_cast<unsigned>(i.unused_bits >> 9U & 127U);
  const bool inverted =
      (i.unused_bits >> 48U & 1U) != 0 || (i.form != Form::long_form && (i.unused_bits >> 22U & 1U) != 0);
  const std::string name =
      bytes_of(i.type) == 2 ? fmt::format("$r{}{}", raw / 2, raw % 2 == 0 ? "l" : "h") : fmt::format("$r{}", raw);
  return Line().add_if(inverted, "not").add(name).text();
}

void print_pass(Line& line, const Instruction& i) {
  line.add("mov2").add(size_text(i.type));
  flags_and_result(line, i);
  line.add(ignored_source(i)).add(source_text(i, 1));
}

void print_mov(Line& line, const Instruction& i) {
  const unsigned skipped = i.move().skipped_lanes;
  if (skipped != 0) {
    std::string lanes;
    for (unsigned lane = 0; lane < 4; ++lane) {
      if ((skipped >> lane & 1U) == 0) lanes += static_cast<char>('0' + lane);
    }
    line.add(fmt::format("(l{})", lanes));
  }
  line.add("mov").add_if(i.sfu_hint, "sfu").add(size_text(i.type));
  flags_and_result(line, i);
  sources(line, i);
}

void print_quadop(Line& line, const Instruction& i) {
  constexpr std::array<std::string_view, 4> operations{"add", "subr", "sub", "mov2"};
  constexpr std::array<std::string_view, 8> lanes{"l0", "l1", "l2", "l3", "dx", "dy", "dx", "dy"};
  line.add("quadop f32");
  for (const QuadOperation operation : i.quad().operation) line.add(operations[static_cast<std::size_t>(operation)]);
  flags_and_result(line, i);
  line.add(lanes[i.quad().selected & 7U]);
  sources(line, i);
}

void print_atomic(Line& line, const Instruction& i) {
  constexpr std::array<std::string_view, 13> names{"add", "exch", "cas", "",    "inc", "dec", "max",
                                                   "min", "",     "",    "and", "or",  "xor"};
  const AtomicOperation operation = i.atomic().operation;
  const bool exchanges = operation == AtomicOperation::exch || operation == AtomicOperation::cas;
  const bool bitwise = exchanges || operation >= AtomicOperation::logic_and;
  line.add(i.opcode == Opcode::red ? "red" : exchanges ? "" : "ld").add(names[static_cast<std::size_t>(operation)]);
  line.add(bitwise ? size_text(i.type) : type_text(i.type)).add(operand_text(i.destination[0]));
  line.add(operand_text(i.store_target));
  sources(line, i);
}

void print_texture(Line& line, const Instruction& i) {
  constexpr std::array<std::string_view, 4> names{"texauto", "texbias", "texlod", "texsize"};
  const TextureDetails& texture = i.texture();
  line.add(texture.texel_fetch ? "texfetch" : names[static_cast<std::size_t>(texture.operation)])
      .add_if(texture.cube, "cube");
  line.add(texture.live ? "live" : "all").add_if(texture.derivative, "deriv");
  std::string results = register_list(i.destination[0].index, texture.result_mask);
  for (unsigned bit = 1; bit < 4; ++bit) {
    if (texture.result_mask >> bit == 0) results += bit == 1 && results.empty() ? "#:#" : ":#";
  }
  line.add(results).add(fmt::format("$t{}", texture.texture)).add(fmt::format("$s{}", texture.sampler));
  const bool size_query = texture.operation == TextureOperation::size;
  line.add(register_list(i.source[0].index, size_query ? 1 : (1U << texture.coordinates) - 1));
  if (i.form == Form::short_form || texture.cube || size_query) return;
  for (unsigned axis = 0; axis < 3; ++axis) line.add(fmt::format("{:#x}", texture.texel_offsets >> (4 * axis) & 15U));
}

void print_barrier(Line& line, const Instruction& i) {
  line.add("bar").add_if(i.barrier().arrive, "inc").add_if(i.barrier().wait, "wait");
  line.add(fmt::format("{:#x} {:#x}", i.barrier().number, i.barrier().threads));
}

void print_store(Line& line, const Instruction& i) {
  const bool is_shared = i.store_target.kind == Kind::shared;
  const unsigned bytes = bytes_of(i.store_target.type);
  const std::string_view size = bytes == 1 ? "b8" : bytes == 2 ? "b16" : "b32";
  line.add("st").add_if(i.lock, "unlock").add(is_shared ? size : type_text(i.type));
  if (is_shared) {
    line.add("s" + address_text(i.store_target));
  } else {
    line.add(operand_text(i.store_target));
  }
  line.add(source_text(i, 0));
}

void print_load(Line& line, const Instruction& i) {
  line.add("ld");
  if (i.source[0].kind == Kind::local || i.source[0].kind == Kind::global) {
    line.add(type_text(i.type)).add(operand_text(i.destination[0])).add(operand_text(i.source[0]));
    return;
  }
  line.add_if(i.lock, "lock");
  flags_and_result(line, i);
  line.add_if(i.source[0].kind == Kind::constant, type_text(i.source[0].type)).add(operand_text(i.source[0]));
}

void print_control(Line& line, const Instruction& i) {
  const auto target = [&] { return fmt::format("{:#x}", i.branch().target); };
  switch (i.opcode) {
    case Opcode::bra:
    case Opcode::breakaddr:
    case Opcode::joinat:
      line.add(i.row().name).add(target());
      return;
    case Opcode::call:
      line.add("call").add_if(i.branch().limited, "lim").add(target());
      return;
    case Opcode::brk:
      line.add("break");
      return;
    case Opcode::pmevent:
      line.add("pmevent").add(fmt::format("{:#x}", i.event().number));
      return;
    default:
      line.add(i.row().name);
      return;
  }
}

void print_move(Line& line, const Instruction& i) {
  if (i.opcode == Opcode::mov) return print_mov(line, i);
  const bool shifts = i.opcode == Opcode::shift_to_address;
  print_typed(line, i, shifts ? "shl" : i.opcode == Opcode::add_address ? "add" : "mov", "");
}

void print_integer(Line& line, const Instruction& i) {
  switch (i.opcode) {
    case Opcode::add:
      return print_adder(line, i, 0);
    case Opcode::sub:
      return print_adder(line, i, 1);
    case Opcode::subr:
      return print_adder(line, i, 2);
    case Opcode::addc:
      return print_adder(line, i, 3);
    case Opcode::max:
    case Opcode::min:
    case Opcode::shr:
      return print_typed(line, i, i.row().name, type_text(i.type));
    case Opcode::shl:
      return print_typed(line, i, "shl", size_text(i.type));
    case Opcode::mul:
      return print_mul(line, i);
    case Opcode::mad:
      return print_mad(line, i);
    case Opcode::logic_pass:
      return print_pass(line, i);
    case Opcode::logic_and:
    case Opcode::logic_or:
    case Opcode::logic_xor:
      return print_typed(line, i, i.row().mnemonic, size_text(i.type));
    default:
      break;
  }
  line.add("sad");  // the only one whose result comes before the type
  flags_and_result(line, i);
  line.add(type_text(i.type));
  sources(line, i);
}

void print_floating(Line& line, const Instruction& i) {
  switch (i.opcode) {
    case Opcode::fadd:
    case Opcode::dadd:
      return print_float(line, i, "add", true);
    case Opcode::fmul:
    case Opcode::dmul:
      return print_float(line, i, "mul", true);
    case Opcode::dfma:
      return print_float(line, i, "fma", true);
    case Opcode::fmax:
    case Opcode::dmax:
      return print_float(line, i, "max", false);
    case Opcode::fmin:
    case Opcode::dmin:
      return print_float(line, i, "min", false);
    case Opcode::fmad:
      return print_fmad(line, i);
    case Opcode::quadop:
      return print_quadop(line, i);
    default:
      return print_float(line, i, i.row().name, false);
  }
}

void print_slct(Line& line, const Instruction& i) {
  line.add("slct b32");
  flags_and_result(line, i);
  line.add(source_text(i, 0))
      .add(source_text(i, 1))
      .add("f32")
      .add_if(i.select().negated, "neg")
      .add(source_text(i, 2));
}

void print_operation(Line& line, const Instruction& i) {
  const Opcode opcode = i.opcode;
  if (opcode == Opcode::load_constant || opcode == Opcode::load_shared || opcode == Opcode::load_local ||
      opcode == Opcode::load_global)
    return print_load(line, i);
  if (opcode == Opcode::store_shared || opcode == Opcode::store_local || opcode == Opcode::store_global)
    return print_store(line, i);
  if (opcode == Opcode::vote)
    return static_cast<void>(line.add("vote").add(i.vote().kind == VoteKind::any ? "any" : "all").add(flag_text(i)));
  if (opcode == Opcode::red || opcode == Opcode::atom) return print_atomic(line, i);
  if (opcode == Opcode::tex) return print_texture(line, i);
  if (opcode == Opcode::bar) return print_barrier(line, i);
  if (opcode == Opcode::set || opcode == Opcode::fset || opcode == Opcode::dset) return print_set(line, i);
  if (opcode == Opcode::slct) return print_slct(line, i);
  if (opcode < Opcode::add) return print_move(line, i);
  if (opcode < Opcode::convert_int_int) return print_integer(line, i);
  if (opcode < Opcode::fadd) return print_convert(line, i);
  if (opcode < Opcode::load_local) return print_floating(line, i);
  print_control(line, i);
}

}  // namespace

std::string envydis_text(const Instruction& instruction) {
  Line line;
  line.add_if(instruction.exit, "exit").add_if(instruction.join, "join").add(guard_text(instruction));
  print_operation(line, instruction);
  return line.text();
}

}  // namespace teslasim
