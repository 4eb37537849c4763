// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/ptx_values.h"

#include <bit>

#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxConstant;
using ptx::PtxOperand;
using ptx::PtxSymbol;
using ptx::PtxType;

// Bytes of the launch header, by dimension (van der Laan 2008).
constexpr std::uint32_t grid_number = 0, block_size = 2, grid_size = 8, block_place = 12;
constexpr std::uint32_t special_physical = 0, special_clock = 1, special_counters = 4;

unsigned element_of(const PtxOperand& operand) {
  switch (operand.component) {
    case 'y':
    case 'g':
      return 1;
    case 'z':
    case 'b':
      return 2;
    case 'w':
    case 'a':
      return 3;
    default:
      return 0;
  }
}

}  // namespace

ScopeNames::ScopeNames(const ptx::PtxModule& module, const ptx::PtxFunction& function) {
  ptx::PtxNames names;
  const auto declare = [&names](const ptx::PtxVariable& variable) {
    PtxSymbol symbol;
    symbol.variable = &variable;
    (void)names.declare(variable.name, symbol);
  };
  // A definition stands before the declarations of the same name: the first one stays.
  for (const ptx::PtxVariable& variable : module.variables) {
    if (variable.linkage != ptx::PtxLinkage::external) declare(variable);
  }
  for (const ptx::PtxVariable& variable : module.variables) {
    if (variable.linkage == ptx::PtxLinkage::external) declare(variable);
  }
  for (const bool bodies : {true, false}) {
    for (const ptx::PtxFunction& other : module.functions) {
      PtxSymbol symbol;
      symbol.kind = PtxSymbol::Kind::function;
      symbol.function = &other;
      if (other.body.has_value() == bodies) (void)names.declare(other.name, symbol);
    }
  }
  names.enter();
  for (const ptx::PtxVariable& result : function.results) declare(result);
  for (const ptx::PtxVariable& parameter : function.parameters) declare(parameter);
  if (function.body) add(*function.body, std::move(names));
}

void ScopeNames::add(const ptx::PtxScope& scope, ptx::PtxNames names) {
  names.enter();
  for (const ptx::PtxStatement& statement : scope.statements) {
    if (const auto* variable = std::get_if<ptx::PtxVariable>(&statement)) {
      PtxSymbol symbol;
      symbol.variable = variable;
      (void)names.declare(variable->name, symbol);
    }
  }
  for (const ptx::PtxStatement& statement : scope.statements) {
    if (const auto* inner = std::get_if<ptx::PtxScope>(&statement)) add(*inner, names);
  }
  scopes_.emplace(&scope, std::move(names));
}

PtxSymbol PtxValues::symbol(const std::string& name) const {
  const auto found = names_->find(name);
  SIM_CHECK(found.has_value(), "'" + name + "' is not declared: the module was not checked");
  return *found;
}

PtxType PtxValues::declared_type(const PtxOperand& operand) const {
  if (operand.kind != PtxOperand::Kind::name || operand.name == "_") return PtxType::none;
  if (ptx::special_register(operand.name) != nullptr) return PtxType::none;
  const PtxSymbol found = symbol(operand.name);
  return found.kind == PtxSymbol::Kind::variable && found.is_register() ? found.variable->type : PtxType::none;
}

IrArgument PtxValues::read_word(const PtxSymbol& symbol, unsigned instance, unsigned element, unsigned word) {
  const Key key{symbol.variable, symbol.number, instance, element, word};
  const auto [entry, added] = variables_.try_emplace(key, static_cast<VariableIndex>(variables_.size()));
  return ssa_.read(ir_.block(), entry->second);
}

void PtxValues::write_word(const PtxSymbol& symbol, unsigned instance, unsigned element, unsigned word,
                           const IrArgument& value) {
  const Key key{symbol.variable, symbol.number, instance, element, word};
  const auto [entry, added] = variables_.try_emplace(key, static_cast<VariableIndex>(variables_.size()));
  ssa_.write(ir_.block(), entry->second, value);
}

IrArgument PtxValues::read_carry() {
  return read_word({}, instance_, 0, 0);
}

void PtxValues::write_carry(const IrArgument& value) {
  write_word({}, instance_, 0, 0, value);
}

IrArgument PtxValues::read(const PtxOperand& operand) {
  return read_pair(operand).low;
}

IrPair PtxValues::read_pair(const PtxOperand& operand) {
  if (operand.kind == PtxOperand::Kind::constant) {
    std::uint64_t bits = operand.constant.bits;
    if (demote_ && operand.constant.kind == PtxConstant::Kind::f64)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    return {constant_argument(static_cast<std::uint32_t>(bits)),
            constant_argument(static_cast<std::uint32_t>(bits >> 32U))};
  }
  if (ptx::special_register(operand.name) != nullptr) return {special(operand), constant_argument(0)};
  const PtxSymbol found = symbol(operand.name);
  if (found.kind != PtxSymbol::Kind::variable) return {constant_argument(0), constant_argument(0)};
  if (!found.is_register()) {
    const auto offset = static_cast<std::int64_t>(operand.constant.bits);
    return {address_of(*found.variable, offset), constant_argument(0)};
  }
  const unsigned element = element_of(operand);
  const bool wide = bits_of(found.variable->type) == 64;
  return {read_word(found, instance_, element, 0),
          wide ? read_word(found, instance_, element, 1) : constant_argument(0)};
}

IrArgument PtxValues::read_predicate(const PtxOperand& operand) {
  if (operand.kind == PtxOperand::Kind::constant) return constant_argument(operand.constant.bits != 0 ? ~0U : 0U);
  const IrArgument value = read(operand);
  return operand.negated ? ir_.emit(IrOperation::bit_not, {value}) : value;
}

IrArgument PtxValues::extend(const IrArgument& value, PtxType type) {
  switch (type) {
    case PtxType::u8:
    case PtxType::b8:
      return ir_.bit_and(value, 0xff);
    case PtxType::u16:
    case PtxType::b16:
    case PtxType::f16:
      return ir_.bit_and(value, 0xffff);
    case PtxType::s8:
      return ir_.convert(ValueType::s32, ValueType::s8, value);
    case PtxType::s16:
      return ir_.convert(ValueType::s32, ValueType::s16, value);
    default:
      return value;
  }
}

IrArgument PtxValues::read_extended(const PtxOperand& operand, PtxType type) {
  return extend(read(operand), type);
}

void PtxValues::write(const PtxOperand& operand, const IrArgument& value) {
  if (operand.kind != PtxOperand::Kind::name || operand.name == "_") return;
  write_word(symbol(operand.name), instance_, element_of(operand), 0, value);
}

void PtxValues::write_pair(const PtxOperand& operand, const IrPair& value) {
  if (operand.kind != PtxOperand::Kind::name || operand.name == "_") return;
  const PtxSymbol found = symbol(operand.name);
  write_word(found, instance_, element_of(operand), 0, value.low);
  write_word(found, instance_, element_of(operand), 1, value.high);
}

IrArgument PtxValues::address_of(const ptx::PtxVariable& variable, std::int64_t offset) {
  const auto at =
      [&](const std::unordered_map<PtxVariablePointer, std::uint32_t>& places) -> std::optional<IrArgument> {
    const auto found = places.find(&variable);
    if (found == places.end()) return std::nullopt;
    return constant_argument(found->second + static_cast<std::uint32_t>(offset));
  };
  for (const auto* places : {&module_.constants, &kernel_.parameters, &kernel_.shared, &kernel_.local}) {
    if (const auto address = at(*places)) return *address;
  }
  if (const auto slot = module_.textures.find(&variable); slot != module_.textures.end())
    return constant_argument(texture_handle + slot->second);
  const auto global = module_.variables.find(&variable);
  if (global == module_.variables.end()) return constant_argument(0);  // reported when it was placed
  IrNode node;
  node.operation = IrOperation::variable_address;
  node.number = global->second;
  node.offset = static_cast<std::uint32_t>(offset);
  return ir_.add_node(std::move(node));
}

IrArgument PtxValues::launch_word(std::uint32_t byte, ValueType type) {
  IrNode node;
  node.operation = IrOperation::launch_word;
  node.offset = byte;
  node.type = type;
  return ir_.add_node(std::move(node));
}

IrArgument PtxValues::dimension(std::uint32_t base, char component) {
  const bool flat = base != block_size;
  if (component == 'z' && flat) return constant_argument(base == grid_size ? 1 : 0);
  return launch_word(base + (component == 'y' ? 2 : component == 'z' ? 4 : 0), ValueType::u16);
}

IrArgument PtxValues::thread(char component) {
  const IrArgument packed = ir_.emit(IrOperation::thread_index, {});
  if (component == 'x') return ir_.bit_and(packed, 0xffff);
  if (component == 'y') return ir_.bit_and(ir_.shift_right(packed, 16), 0x3ff);
  return ir_.shift_right(packed, 26);
}

IrArgument PtxValues::special_node(std::uint32_t number) {
  IrNode node;
  node.operation = IrOperation::special_register;
  node.number = number;
  return ir_.add_node(std::move(node));
}

/// Number in the warp: the thread slots of an SM are numbered through, 32 to a warp.
IrArgument PtxValues::lane() {
  return ir_.bit_and(special_node(special_physical), 31);
}

IrArgument PtxValues::special(const PtxOperand& operand) {
  const std::string& name = operand.name;
  if (name == "%tid") return thread(operand.component);
  if (name == "%ntid") return dimension(block_size, operand.component);
  if (name == "%ctaid") return dimension(block_place, operand.component);
  if (name == "%nctaid") return dimension(grid_size, operand.component);
  if (name == "%gridid") return launch_word(grid_number, ValueType::u16);
  if (name == "%laneid") return lane();
  if (name == "%warpid") return ir_.bit_and(ir_.shift_right(special_node(special_physical), 8), 0xff);
  if (name == "WARP_SZ") return constant_argument(32);
  // The counter runs at half of the rate that CUDA promises.
  if (name == "%clock" || name == "%clock64") return ir_.shift_left(special_node(special_clock), 1);
  if (name == "%smid") return ir_.bit_and(ir_.shift_right(special_node(special_physical), 16), 0xff);
  if (name.starts_with("%pm")) return special_node(special_counters + static_cast<std::uint32_t>(name.back() - '0'));
  const IrArgument one = ir_.emit(IrOperation::shift_left, {constant_argument(1), lane()});
  if (name == "%lanemask_eq") return one;
  const IrArgument below = ir_.subtract(one, constant_argument(1));
  if (name == "%lanemask_lt") return below;
  const IrArgument through = ir_.emit(IrOperation::bit_or, {below, one});
  if (name == "%lanemask_le") return through;
  if (name == "%lanemask_ge") return ir_.emit(IrOperation::bit_not, {below});
  if (name == "%lanemask_gt") return ir_.emit(IrOperation::bit_not, {through});
  // %nwarpid, %nsmid: no register of the chip says it.
  return constant_argument(name == "%nwarpid" ? 32 : 30);
}

}  // namespace teslasim::compiler
