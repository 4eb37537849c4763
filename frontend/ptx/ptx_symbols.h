// SPDX-License-Identifier: Apache-2.0
// What the names of a PTX file stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/ptx/ptx_tree.h"

namespace teslasim::ptx {

[[nodiscard]] unsigned bits_of(PtxType type);
enum class PtxTypeKind : std::uint8_t { untyped, integer, floating, predicate };
[[nodiscard]] PtxTypeKind kind_of(PtxType type);

/// %tid and its kin.
struct PtxSpecialRegister {
  std::string_view name;
  PtxType type = PtxType::u32;
  bool vector = false;  ///< has .x, .y, .z
};
[[nodiscard]] const PtxSpecialRegister* special_register(std::string_view name);

/// What a name is. Pointers go into the module.
struct PtxSymbol {
  enum class Kind : std::uint8_t { variable, label, function };
  Kind kind = Kind::variable;
  PtxPlace place{};
  const PtxVariable* variable = nullptr;  ///< also a register
  const PtxFunction* function = nullptr;
  std::uint32_t number = 0;  ///< of a register within its range

  [[nodiscard]] bool is_register() const { return kind == Kind::variable && variable->space == PtxSpace::reg; }
};

/// The scopes around a place, innermost last. The module must outlive it.
class PtxNames {
 public:
  PtxNames() { enter(); }
  void enter() { levels_.emplace_back(); }
  void leave() { levels_.pop_back(); }
  /// Returns what has that name in this scope already; nothing when it is new.
  std::optional<PtxSymbol> declare(const std::string& name, const PtxSymbol& symbol);
  /// From the innermost scope outwards; "%r7" is found in the range %r<10>.
  [[nodiscard]] std::optional<PtxSymbol> find(const std::string& name) const;

 private:
  struct Level {
    std::unordered_map<std::string, PtxSymbol> names;
    std::unordered_map<std::string, PtxSymbol> ranges;  ///< by the name without its number
  };
  std::vector<Level> levels_;
};

}  // namespace teslasim::ptx
