// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_names.h"

#include <array>
#include <utility>

namespace teslasim::ptx {
namespace {

template <typename Value, std::size_t count>
using Names = std::array<std::pair<std::string_view, Value>, count>;

constexpr Names<PtxType, 16> types{{
    {"b8", PtxType::b8},
    {"b16", PtxType::b16},
    {"b32", PtxType::b32},
    {"b64", PtxType::b64},
    {"u8", PtxType::u8},
    {"u16", PtxType::u16},
    {"u32", PtxType::u32},
    {"u64", PtxType::u64},
    {"s8", PtxType::s8},
    {"s16", PtxType::s16},
    {"s32", PtxType::s32},
    {"s64", PtxType::s64},
    {"f16", PtxType::f16},
    {"f32", PtxType::f32},
    {"f64", PtxType::f64},
    {"pred", PtxType::pred},
}};
constexpr Names<PtxSpace, 7> spaces{{
    {"reg", PtxSpace::reg},
    {"const", PtxSpace::constant},
    {"global", PtxSpace::global},
    {"local", PtxSpace::local},
    {"param", PtxSpace::param},
    {"shared", PtxSpace::shared},
    {"tex", PtxSpace::tex},
}};
constexpr Names<PtxLinkage, 3> linkages{{
    {"extern", PtxLinkage::external},
    {"visible", PtxLinkage::visible},
    {"weak", PtxLinkage::weak},
}};

template <typename Value, std::size_t count>
std::optional<Value> value_of(const Names<Value, count>& names, std::string_view word) {
  for (const auto& [name, value] : names) {
    if (name == word) return value;
  }
  return std::nullopt;
}

template <typename Value, std::size_t count>
std::string_view name_of(const Names<Value, count>& names, Value wanted) {
  for (const auto& [name, value] : names) {
    if (value == wanted) return name;
  }
  return "";
}

}  // namespace

std::optional<PtxType> type_of_word(std::string_view word) {
  return value_of(types, word);
}
std::optional<PtxSpace> space_of_word(std::string_view word) {
  return value_of(spaces, word);
}
std::optional<PtxLinkage> linkage_of_word(std::string_view word) {
  return value_of(linkages, word);
}

std::string_view word_of(PtxType type) {
  return name_of(types, type);
}
std::string_view word_of(PtxSpace space) {
  return name_of(spaces, space);
}
std::string_view word_of(PtxLinkage linkage) {
  return name_of(linkages, linkage);
}

}  // namespace teslasim::ptx
