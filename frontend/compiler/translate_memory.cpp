// SPDX-License-Identifier: Apache-2.0
// Loads and stores. Shared and constant memory move words; wider accesses there are several.
#include <algorithm>
#include <utility>

#include "frontend/compiler/access_alignment.h"
#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using ptx::PtxOperand;
using ptx::PtxSpace;
using ptx::PtxSymbol;
using ptx::PtxType;
using Op = IrOperation;

struct Address {
  IrArgument base{};
  std::uint32_t offset = 0;
};

Address address_of(const Translation& t, const PtxOperand& operand) {
  const auto offset = static_cast<std::uint32_t>(operand.constant.bits);
  if (operand.name.empty()) return {constant_argument(0), offset};
  const PtxSymbol symbol = t.values.symbol(operand.name);
  if (symbol.kind == PtxSymbol::Kind::variable && symbol.is_register()) {
    PtxOperand plain = operand;
    plain.kind = PtxOperand::Kind::name;
    return {t.values.read(plain), offset};
  }
  return {t.values.address_of(*symbol.variable, 0), offset};
}

/// Says so where an address that the text gives is no multiple of the size of one access.
void check_address(const Translation& t, const PtxOperand& operand, const Address& address, unsigned bytes) {
  const std::uint32_t at = address.base.constant + address.offset;
  if (address.base.is_constant() && at % bytes != 0) t.mistakes.push_back(misaligned(operand.place, at, bytes));
}

IrSpace space_of(const Translation& t) {
  switch (t.form.space) {
    case PtxSpace::global:
      return IrSpace::global;
    case PtxSpace::shared:
    case PtxSpace::param:
      return IrSpace::shared;
    case PtxSpace::local:
      return IrSpace::local;
    case PtxSpace::constant:
      return IrSpace::constant;
    default:
      return t.form.opcode() == PtxOpcode::load_uniform ? IrSpace::global : IrSpace::generic;
  }
}

/// Type of the access to one element of up to 32 bits.
ValueType small_type(PtxType type) {
  switch (type) {
    case PtxType::b8:
    case PtxType::u8:
      return ValueType::u8;
    case PtxType::s8:
      return ValueType::s8;
    case PtxType::b16:
    case PtxType::u16:
    case PtxType::f16:
      return ValueType::u16;
    case PtxType::s16:
      return ValueType::s16;
    default:
      return ValueType::b32;
  }
}

/// Words that one instruction may move in this space.
unsigned most_words(IrSpace space, unsigned words) {
  if (space == IrSpace::shared || space == IrSpace::constant) return 1;
  return words;
}

ValueType type_of_words(unsigned words) {
  return words == 4 ? ValueType::b128 : words == 2 ? ValueType::b64 : ValueType::b32;
}

bool is_launch_parameter(const Translation& t, const Address& address) {
  return t.form.space == PtxSpace::param && address.base.is_constant();
}

std::vector<IrArgument> load_words(const Translation& t, const Address& address, ValueType type, unsigned words) {
  std::vector<IrArgument> result;
  IrNode node;
  node.type = type;
  if (is_launch_parameter(t, address)) {
    for (unsigned word = 0; word < words; ++word) {
      node.operation = Op::launch_word;
      node.offset = address.base.constant + address.offset + 4 * word;
      const bool byte_with_sign = type == ValueType::s8;
      if (byte_with_sign) node.type = ValueType::u8;
      const IrArgument value = t.ir.add_node(node);
      result.push_back(byte_with_sign ? t.values.extend(value, PtxType::s8) : value);
    }
    return result;
  }
  node.operation = Op::load;
  node.is_volatile = t.has("volatile");
  node.space = space_of(t);
  node.offset = address.offset;
  node.arguments = {address.base};
  const IrNode& added = t.ir.append(std::move(node), words);
  for (const ValueIndex value : added.results) result.push_back(value_argument(value));
  return result;
}

std::vector<PtxOperand> elements_of(const Translation& t, const PtxOperand& operand) {
  if (operand.kind == PtxOperand::Kind::vector) return operand.elements;
  if (t.form.vector == 1) return {operand};
  std::vector<PtxOperand> elements(t.form.vector, operand);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i].component = "xyzw"[i];
  return elements;
}

/// .param variables of calls are registers of another spelling; kernel parameters and what the caller wrote differ.
bool is_call_variable(const Translation& t, const PtxOperand& operand) {
  if (t.form.space != PtxSpace::param || operand.name.empty()) return false;
  const PtxSymbol symbol = t.values.symbol(operand.name);
  return symbol.kind == PtxSymbol::Kind::variable && symbol.variable->space == PtxSpace::param &&
         t.values.kernel().parameters.count(symbol.variable) == 0;
}

void write_element(const Translation& t, const PtxOperand& element, const IrPair& value) {
  const bool wide = is_wide(t.type());
  if (wide && t.type() == PtxType::f64 && t.values.demotes())
    return t.values.write_pair(element, {narrow_demoted(t, value), constant_argument(0)});
  if (wide) return t.values.write_pair(element, value);
  if (!is_wide(t.values.declared_type(element))) return t.values.write(element, value.low);
  // A word in a register of 64 bits is extended as its type says.
  t.values.write_pair(element, {value.low, is_signed_type(t.type()) ? t.ir.sign_of(value.low) : constant_argument(0)});
}

void load_call_variable(const Translation& t) {
  const PtxOperand& place = t.operand(1);
  const PtxSymbol symbol = t.values.symbol(place.name);
  auto word = static_cast<unsigned>(place.constant.bits / 4);
  const unsigned shift = static_cast<unsigned>(place.constant.bits % 4) * 8;
  for (const PtxOperand& element : elements_of(t, t.operand(0))) {
    IrPair value{t.values.read_word(symbol, t.values.instance(), 0, word), constant_argument(0)};
    if (is_wide(t.type())) value.high = t.values.read_word(symbol, t.values.instance(), 0, ++word);
    if (shift != 0) value.low = t.ir.shift_right(value.low, shift);
    value.low = t.values.extend(value.low, t.type());
    if (is_wide(t.type()))
      t.values.write_pair(element, value);  // a demoted f64 is passed as it is held
    else
      write_element(t, element, value);
    ++word;
  }
}

void store_call_variable(const Translation& t) {
  const PtxOperand& place = t.operand(0);
  const PtxSymbol symbol = t.values.symbol(place.name);
  if (place.constant.bits % 4 != 0) return t.unsupported("arguments smaller than a word stand alone");
  auto word = static_cast<unsigned>(place.constant.bits / 4);
  for (const PtxOperand& element : elements_of(t, t.operand(1))) {
    const IrPair value = t.values.read_pair(element);
    t.values.write_word(symbol, t.values.instance(), 0, word++, value.low);
    if (is_wide(t.type())) t.values.write_word(symbol, t.values.instance(), 0, word++, value.high);
  }
}

void load(const Translation& t) {
  if (is_call_variable(t, t.operand(1))) return load_call_variable(t);
  Address address = address_of(t, t.operand(1));
  const std::vector<PtxOperand> elements = elements_of(t, t.operand(0));
  if (bits_of(t.type()) < 32) {
    check_address(t, t.operand(1), address, bits_of(t.type()) / 8);
    for (const PtxOperand& element : elements) {
      write_element(t, element, {load_words(t, address, small_type(t.type()), 1)[0], constant_argument(0)});
      address.offset += bits_of(t.type()) / 8;
    }
    return;
  }
  const unsigned each = bits_of(t.type()) / 32;
  const auto words = each * static_cast<unsigned>(elements.size());
  const unsigned step = std::min(4U, most_words(space_of(t), words));
  check_address(t, t.operand(1), address, 4 * step);
  std::vector<IrArgument> values;
  while (values.size() < words) {
    for (const IrArgument& value : load_words(t, address, type_of_words(step), step)) values.push_back(value);
    address.offset += 4 * step;
  }
  for (std::size_t i = 0; i < elements.size(); ++i)
    write_element(t, elements[i], {values[i * each], each == 2 ? values[i * each + 1] : constant_argument(0)});
}

void store_words(const Translation& t, const Address& address, ValueType type, std::vector<IrArgument> words) {
  IrNode node;
  node.operation = Op::store;
  node.is_volatile = t.has("volatile");
  node.type = type;
  node.space = space_of(t);
  node.offset = address.offset;
  node.arguments = std::move(words);
  node.arguments.insert(node.arguments.begin(), address.base);
  t.ir.append(std::move(node), 0);
}

void store(const Translation& t) {
  if (is_call_variable(t, t.operand(0))) return store_call_variable(t);
  Address address = address_of(t, t.operand(0));
  const std::vector<PtxOperand> elements = elements_of(t, t.operand(1));
  if (bits_of(t.type()) < 32) {
    check_address(t, t.operand(0), address, bits_of(t.type()) / 8);
    for (const PtxOperand& element : elements) {
      store_words(t, address, small_type(t.type()), {t.values.read(element)});
      address.offset += bits_of(t.type()) / 8;
    }
    return;
  }
  std::vector<IrArgument> words;
  for (const PtxOperand& element : elements) {
    IrPair value = t.values.read_pair(element);
    if (t.type() == PtxType::f64 && t.values.demotes()) value = widen_demoted(t, value.low);
    words.push_back(value.low);
    if (is_wide(t.type())) words.push_back(value.high);
  }
  const std::size_t step = std::min(4U, most_words(space_of(t), static_cast<unsigned>(words.size())));
  check_address(t, t.operand(0), address, static_cast<unsigned>(4 * step));
  for (std::size_t at = 0; at < words.size(); at += step) {
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
    store_words(t, address, type_of_words(static_cast<unsigned>(step)),
                {first, first + static_cast<std::ptrdiff_t>(step)});
    address.offset += static_cast<std::uint32_t>(4 * step);
  }
}

}  // namespace

void translate_memory(const Translation& t) {
  if (t.form.opcode() == PtxOpcode::store) return store(t);
  load(t);
}

}  // namespace teslasim::compiler
