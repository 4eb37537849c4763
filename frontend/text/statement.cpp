// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/names.h"

namespace teslasim::text {
namespace {

using Kind = Operand::Kind;
using Place = EncodingProblem::Place;

bool is_float(ValueType type) {
  return type == ValueType::f32 || type == ValueType::f64 || type == ValueType::f16;
}

/// The bits of a written number as an operand of `type`.
std::uint32_t immediate_bits(const ParsedOperand& operand, ValueType type) {
  const Value& value = operand.value;
  if (value.names_parameter)
    fail("ASM-OPERAND", operand.where, "a parameter name is an address in s[], not a value", "write s[...] around it");
  if (is_float(type) && value.plain_decimal && value.number != 0)
    fail("ASM-OPERAND", operand.where, "a whole number in a floating-point instruction is a bit pattern here",
         fmt::format("write {0}.0f, or {0:#x} if the bits are meant", value.number));
  if (bytes_of(type) == 2 && value.is_float) fail("ASM-RANGE", operand.where, "a float does not fit into 16 bits");
  if (value.is_float) return single_bits(value);
  const std::int64_t minimum = bytes_of(type) == 2 ? -0x8000 : -0x80000000LL;
  const std::int64_t maximum = bytes_of(type) == 2 ? 0xffff : 0xffffffffLL;
  if (value.number < minimum || value.number > maximum)
    fail("ASM-RANGE", operand.where,
         fmt::format("{} does not fit into {} bits", value.number, bytes_of(type) == 2 ? 16 : 32));
  return static_cast<std::uint32_t>(value.number) & (bytes_of(type) == 2 ? 0xffffU : 0xffffffffU);
}

Operand resolved(const ParsedOperand& parsed, ValueType type) {
  if (parsed.shape == ParsedOperand::Shape::number) {
    Operand operand = parsed.operand;
    operand.immediate = immediate_bits(parsed, type);
    return operand;
  }
  if (parsed.shape != ParsedOperand::Shape::operand)
    fail("ASM-OPERAND", parsed.where, "textures, samplers and groups are operands of 'tex' only");
  Operand operand = parsed.operand;
  if (operand.kind == Kind::shared && !parsed.access_given) operand.type = access_type(type);
  return operand;
}

}  // namespace

bool Statement::take(std::string_view word) {
  for (Suffix& suffix : suffixes) {
    if (suffix.taken || suffix.word != word) continue;
    suffix.taken = true;
    return true;
  }
  return false;
}

Span Statement::types_where() const {
  if (types.empty()) return base_where;
  const Span& last = types.back().where;
  return {types.front().where.column, last.column + last.length - types.front().where.column};
}

std::vector<ValueType> Statement::types_for(std::size_t count) const {
  if (types.empty())
    fail("ASM-TYPE", base_where, fmt::format("'{}' needs a type", base), fmt::format("for example {}.u32", base));
  if (types.size() != 1 && types.size() != count)
    fail("ASM-TYPE", types_where(), fmt::format("'{}' has {} types here, expected 1 or {}", base, types.size(), count),
         "one type per operand, destination first, or one for all");
  std::vector<ValueType> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(types.size() == 1 ? types[0].type : types[i].type);
  return result;
}

ValueType Statement::single_type() const {
  const ValueType first = types_for(std::max<std::size_t>(1, types.size())).front();
  for (const Type& type : types) {
    if (type.type != first)
      fail("ASM-TYPE", type.where, fmt::format("'{}' has one type for all operands", base),
           fmt::format("write {}.{}", base, type_name(first)));
  }
  return first;
}

bool Statement::has_type(ValueType type) const {
  return std::any_of(types.begin(), types.end(), [type](const Type& written) { return written.type == type; });
}

void Statement::expect_operands(std::initializer_list<std::size_t> counts) const {
  const std::size_t count = operands.size();
  if (std::find(counts.begin(), counts.end(), count) != counts.end()) return;
  std::string wanted;
  for (const std::size_t option : counts) wanted += fmt::format("{}{}", wanted.empty() ? "" : " or ", option);
  const std::size_t most = *std::max_element(counts.begin(), counts.end());
  const Span where = count > most ? operands[most].where : base_where;
  fail("ASM-OPERAND", where, fmt::format("'{}' has {} operands here, expected {}", base, count, wanted));
}

namespace {

void refuse_modified_target(const ParsedOperand& parsed) {
  if (parsed.operand.negate || parsed.operand.absolute || parsed.operand.invert)
    fail("ASM-OPERAND", parsed.where, "a destination has no sign, absolute value or complement");
}

}  // namespace

void Statement::set_destination(Instruction& instruction, std::size_t from) {
  const ParsedOperand& parsed = operands[from];
  remember(Place::destination, parsed.where);
  const bool writable = parsed.is(Kind::gpr) || parsed.is(Kind::address) || parsed.is(Kind::discard);
  if (!writable)
    fail("ASM-OPERAND", parsed.where, fmt::format("'{}' cannot write this operand", base),
         "the destination is a register");
  refuse_modified_target(parsed);
  instruction.destination[0] = parsed.operand;
}

void Statement::set_source(Instruction& instruction, std::size_t position, std::size_t from, ValueType type) {
  remember(static_cast<Place>(static_cast<std::size_t>(Place::source_0) + position), operands[from].where);
  instruction.source[position] = resolved(operands[from], type);
}

void Statement::set_store_target(Instruction& instruction, std::size_t from, ValueType type) {
  remember(Place::store_target, operands[from].where);
  refuse_modified_target(operands[from]);
  instruction.store_target = operands[from].operand;
  if (!operands[from].access_given) instruction.store_target.type = type;
}

Span Statement::place_of(EncodingProblem::Place place) const {
  if (place == Place::flags && flag_destination >= 0) return flag_where;
  const Span& where = places_[static_cast<std::size_t>(place)];
  return where.column == 0 ? base_where : where;
}

}  // namespace teslasim::text
