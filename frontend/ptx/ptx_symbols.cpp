// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_symbols.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "frontend/ptx/ptx_names.h"

namespace teslasim::ptx {
namespace {

constexpr auto special_registers = std::to_array<PtxSpecialRegister>({
    {"%tid", PtxType::u32, true},
    {"%ntid", PtxType::u32, true},
    {"%ctaid", PtxType::u32, true},
    {"%nctaid", PtxType::u32, true},
    {"%gridid"},
    {"%laneid"},
    {"%warpid"},
    {"%nwarpid"},
    {"%smid"},
    {"%nsmid"},
    {"%clock"},
    {"%clock64", PtxType::u64, false},
    {"%lanemask_eq"},
    {"%lanemask_le"},
    {"%lanemask_lt"},
    {"%lanemask_ge"},
    {"%lanemask_gt"},
    {"%pm0"},
    {"%pm1"},
    {"%pm2"},
    {"%pm3"},
    {"WARP_SZ"},
});

/// "%r7" as "%r" and 7. Numbers have no zeros in front, and no more than eight digits.
struct NumberedName {
  std::string base;
  std::uint32_t number = 0;
};

std::optional<NumberedName> numbered(const std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string::npos || last + 1 == name.size()) return std::nullopt;
  // A base may end in digits that belong to its name, but no compiler writes such a range.
  const std::string_view digits = std::string_view(name).substr(last + 1);
  if (digits.size() > 8 || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  NumberedName result{name.substr(0, last + 1)};
  std::from_chars(digits.data(), digits.data() + digits.size(), result.number);
  return result;
}

}  // namespace

unsigned bits_of(PtxType type) {
  using enum PtxType;
  switch (type) {
    case none:
      return 0;
    case pred:
      return 1;
    case b8:
    case u8:
    case s8:
      return 8;
    case b16:
    case u16:
    case s16:
    case f16:
      return 16;
    case b32:
    case u32:
    case s32:
    case f32:
      return 32;
    case b64:
    case u64:
    case s64:
    case f64:
      return 64;
  }
  return 0;
}

PtxTypeKind kind_of(PtxType type) {
  if (type == PtxType::pred) return PtxTypeKind::predicate;
  const std::string_view word = word_of(type);
  if (word.empty() || word.front() == 'b') return PtxTypeKind::untyped;
  return word.front() == 'f' ? PtxTypeKind::floating : PtxTypeKind::integer;
}

const PtxSpecialRegister* special_register(std::string_view name) {
  const auto found = std::find_if(special_registers.begin(), special_registers.end(),
                                  [name](const PtxSpecialRegister& one) { return one.name == name; });
  return found == special_registers.end() ? nullptr : &*found;
}

std::optional<PtxSymbol> PtxNames::declare(const std::string& name, const PtxSymbol& symbol) {
  Level& level = levels_.back();
  const bool range = symbol.variable != nullptr && symbol.variable->range.has_value();
  const auto [entry, added] = (range ? level.ranges : level.names).emplace(name, symbol);
  if (added) return std::nullopt;
  return entry->second;
}

std::optional<PtxSymbol> PtxNames::find(const std::string& name) const {
  const auto split = numbered(name);
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    if (const auto found = level->names.find(name); found != level->names.end()) return found->second;
    if (!split) continue;
    const auto range = level->ranges.find(split->base);
    if (range == level->ranges.end() || split->number >= *range->second.variable->range) continue;
    PtxSymbol symbol = range->second;
    symbol.number = split->number;
    return symbol;
  }
  return std::nullopt;
}

}  // namespace teslasim::ptx
