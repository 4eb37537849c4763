// SPDX-License-Identifier: Apache-2.0
// cvt.
#include <utility>

#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxType;
using Op = IrOperation;

PtxType source_type(const Translation& t) {
  return t.form.types[1];
}

bool narrow(PtxType type) {
  return bits_of(type) < 32;
}

ValueType float_type(const Translation& t, PtxType type) {
  if (type == PtxType::f16) return ValueType::f16;
  return type == PtxType::f64 && !t.values.demotes() ? ValueType::f64 : ValueType::f32;
}

ValueType integer_type(PtxType type) {
  if (is_wide(type)) return is_signed_type(type) ? ValueType::s64 : ValueType::u64;
  return word_type(type);
}

unsigned words_of(ValueType type) {
  return bytes_of(type) == 8 ? 2 : 1;
}

bool is_float_type(ValueType type) {
  return type == ValueType::f32 || type == ValueType::f64;
}

/// One cvt of the chip, whatever the widths. Integers are clamped to their range anyway; only f32 stops at 0 and 1.
IrPair convert(const Translation& t, ValueType type, ValueType from, const IrPair& value) {
  IrNode node;
  node.operation = Op::convert;
  node.type = type;
  node.source_type = from;
  node.rounding = t.rounding();
  const bool floats = is_float_type(type) && is_float_type(from);
  node.round_to_integer = floats && (t.has("rni") || t.has("rzi") || t.has("rmi") || t.has("rpi"));
  node.arguments.push_back(value.low);
  if (words_of(from) == 2) node.arguments.push_back(value.high);
  if (words_of(type) == 1) return {t.ir.add_node(std::move(node)), constant_argument(0)};
  return t.ir.add_pair_node(std::move(node));
}

IrPair saturated(const Translation& t, const IrPair& value) {
  if (!t.has("sat")) return value;
  IrNode node;
  node.operation = Op::convert;
  node.type = node.source_type = ValueType::f32;
  node.saturate = true;
  node.arguments = {value.low};
  return {t.ir.add_node(std::move(node)), constant_argument(0)};
}

void write(const Translation& t, const IrPair& value) {
  const PtxType declared = t.values.declared_type(t.operand(0));
  // A register that is wider than the result gets it extended.
  IrPair result = value;
  if (!is_float(t.type()) && narrow(t.type()) && bits_of(declared) > bits_of(t.type()))
    result.low = t.values.extend(value.low, t.type());
  if (is_wide(declared)) return t.values.write_pair(t.operand(0), result);
  t.values.write(t.operand(0), result.low);
}

/// Clamps a word to a type of 8 or 16 bits.
IrArgument clamped(const Translation& t, const IrArgument& value, bool from_signed) {
  const unsigned bits = bits_of(t.type());
  const bool to_signed = is_signed_type(t.type());
  const std::uint32_t most = (1U << (to_signed ? bits - 1 : bits)) - 1;
  const ValueType type = from_signed ? ValueType::s32 : ValueType::u32;
  IrArgument result = t.ir.emit(Op::minimum, {value, constant_argument(most)}, type);
  if (!from_signed) return result;
  const std::uint32_t least = to_signed ? ~most : 0;
  return t.ir.emit(Op::maximum, {result, constant_argument(least)}, type);
}

void between_integers(const Translation& t) {
  const PtxType from = source_type(t);
  const IrPair value = t.values.read_pair(t.operand(1));
  if (t.has("sat") && narrow(t.type()) && !is_wide(from))
    return write(t, {clamped(t, t.values.extend(value.low, from), is_signed_type(from)), constant_argument(0)});
  if (t.has("sat")) return t.unsupported("cvt.sat between these types is not supported");
  if (!is_wide(t.type())) {
    // What the result does not have is not looked at; what the source does not have is extended.
    const bool extends = bits_of(from) < bits_of(t.type());
    return write(t, {extends ? t.values.extend(value.low, from) : value.low, constant_argument(0)});
  }
  if (is_wide(from)) return write(t, value);
  const IrArgument low = t.values.extend(value.low, from);
  write(t, {low, is_signed_type(from) ? t.ir.sign_of(low) : constant_argument(0)});
}

/// Says why not; nothing when the chip can do it.
bool refused(const Translation& t) {
  const PtxType from = source_type(t);
  if (t.type() == PtxType::f16 && from != PtxType::f32 && from != PtxType::f16) {
    t.unsupported("f16 comes from f32 only", "convert to .f32 first");
  } else if (t.has("sat") && t.type() == PtxType::f64 && from != PtxType::f32 && !t.values.demotes()) {
    t.unsupported("f64 does not saturate on this chip", "use max.f64 and min.f64");
  } else {
    return false;
  }
  return true;
}

/// Chips below sm_13 convert 32 bits only.
bool converts_in_steps(const Translation& t, PtxType integer) {
  return t.options.sm < 13 && is_wide(integer);
}

IrPair wide_from_single(const Translation& t, const IrPair& value) {
  const IrPair whole = t.has("rzi") ? value : convert(t, ValueType::f32, ValueType::f32, value);
  const auto words = t.runtime.call(is_signed_type(t.type()) ? "s64_of_f32" : "u64_of_f32", {whole.low});
  return {words[0], words[1]};
}

IrPair single_from_wide(const Translation& t, const IrPair& value) {
  const bool is_signed = is_signed_type(source_type(t));
  const auto leading = t.runtime.call(is_signed ? "leading_s64" : "leading_u64", {value.low, value.high});
  const ValueType word = is_signed ? ValueType::s32 : ValueType::u32;
  const IrPair rounded = convert(t, ValueType::f32, word, {leading[0], constant_argument(0)});
  return {t.ir.emit(Op::float_multiply, {rounded.low, leading[1]}, ValueType::f32), constant_argument(0)};
}

void from_float(const Translation& t) {
  ValueType from = float_type(t, source_type(t));
  IrPair value = t.values.read_pair(t.operand(1));
  if (from == ValueType::f16) {
    value = convert(t, ValueType::f32, from, value);
    from = ValueType::f32;
  }
  if (converts_in_steps(t, t.type())) return write(t, wide_from_single(t, value));
  if (!narrow(t.type())) return write(t, convert(t, integer_type(t.type()), from, value));
  const ValueType word = word_type(t.type());
  const IrPair whole = convert(t, word, from, value);
  write(t, {clamped(t, whole.low, word == ValueType::s32), constant_argument(0)});
}

void to_float(const Translation& t) {
  const PtxType from = source_type(t);
  IrPair value = t.values.read_pair(t.operand(1));
  if (converts_in_steps(t, from)) return write(t, saturated(t, single_from_wide(t, value)));
  value.low = t.values.extend(value.low, from);
  write(t, saturated(t, convert(t, float_type(t, t.type()), integer_type(from), value)));
}

/// Saturation and rounding to whole numbers are done in f32; of f16 nothing else is known to the chip.
void between_floats(const Translation& t) {
  const ValueType type = float_type(t, t.type());
  ValueType from = float_type(t, source_type(t));
  IrPair value = t.values.read_pair(t.operand(1));
  const bool whole = t.has("rni") || t.has("rzi") || t.has("rmi") || t.has("rpi");
  if (from == ValueType::f16) {
    value = convert(t, ValueType::f32, from, value);
    from = ValueType::f32;
  }
  if (type == ValueType::f64 && from == ValueType::f32) value = saturated(t, value);
  if (type == ValueType::f16 && whole) value = convert(t, ValueType::f32, from, value);
  if (type == ValueType::f16) return write(t, convert(t, type, from, saturated(t, value)));
  if (type != from || whole) value = convert(t, type, from, value);
  write(t, type == ValueType::f32 ? saturated(t, value) : value);
}

}  // namespace

void translate_conversion(const Translation& t) {
  const bool to = is_float(t.type()), from = is_float(source_type(t));
  if ((to || from) && refused(t)) return;
  if (to && from) return between_floats(t);
  if (to) return to_float(t);
  if (from) return from_float(t);
  between_integers(t);
}

}  // namespace teslasim::compiler
