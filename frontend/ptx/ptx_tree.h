// SPDX-License-Identifier: Apache-2.0
// PTX as written: the tree that the reader makes of a file and that the printer writes again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace teslasim::ptx {

/// Where something begins in the file; lines and columns count from 1.
struct PtxPlace {
  std::uint32_t line = 0, column = 0, length = 1;
};

enum class PtxType : std::uint8_t {
  none,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f32,
  f64,
  pred
};
enum class PtxSpace : std::uint8_t { none, reg, constant, global, local, param, shared, tex };
enum class PtxLinkage : std::uint8_t { none, external, visible, weak };

/// A constant: an integer, or a float by its bits.
struct PtxConstant {
  enum class Kind : std::uint8_t { integer, f32, f64 };
  Kind kind = Kind::integer;
  std::uint64_t bits = 0;
  friend bool operator==(const PtxConstant&, const PtxConstant&) = default;
};

/// What an instruction reads or writes.
struct PtxOperand {
  enum class Kind : std::uint8_t {
    name,  ///< register, variable, label, function: %r1, %tid.x, array + 4
    constant,
    address,  ///< [name + offset], [offset]
    vector,   ///< {a, b}; textures: [name, {a, b}] is an address with elements
    list,     ///< (a, b): arguments and results of calls
    pair,     ///< p|q: two results of setp
  };
  Kind kind = Kind::name;
  PtxPlace place{};
  std::string name{};      ///< also of an address; "" when it has none
  char component = 0;      ///< x, y, z, w, r, g, b, a; 0: none
  bool negated = false;    ///< !p
  PtxConstant constant{};  ///< also what is added to a name or an address, as a signed number
  std::vector<PtxOperand> elements{};
};

struct PtxInstruction {
  PtxPlace place{};
  std::string guard{};  ///< predicate; "": always
  bool guard_negated = false;
  PtxPlace guard_place{};
  std::string opcode{};                  ///< "ld"
  std::vector<std::string> modifiers{};  ///< "global", "u32", "const[2]": without the dots, in order
  std::vector<PtxPlace> modifier_places{};
  std::vector<PtxOperand> operands{};
};

/// One element of an initialiser: a constant, or the address of a variable.
struct PtxInitial {
  PtxPlace place{};
  PtxConstant constant{};  ///< also the offset of an address
  std::string symbol{};    ///< "": no address
};

/// A register, a range of registers, a variable, or a parameter.
struct PtxVariable {
  PtxPlace place{};
  PtxLinkage linkage = PtxLinkage::none;
  PtxSpace space = PtxSpace::none;
  std::uint8_t bank = 0;  ///< .const[2]
  PtxType type = PtxType::none;
  std::uint8_t vector = 1;      ///< elements: 1, 2, 4
  std::uint32_t alignment = 0;  ///< bytes; 0: that of the type
  std::string name{};
  std::optional<std::uint32_t> range{};                 ///< %r<10> declares %r0 to %r9
  std::vector<std::optional<std::uint64_t>> extents{};  ///< of an array; nothing: []
  std::vector<PtxInitial> initial{};                    ///< in row-major order, braces removed
  std::string opaque{};  ///< "texref", "samplerref", "surfref"; "": a variable of its type
};

struct PtxLabel {
  PtxPlace place{};
  std::string name{};
};

/// .loc: what follows comes from this line.
struct PtxLineMark {
  std::uint32_t file = 0, line = 0, column = 0;
};

struct PtxPragma {
  PtxPlace place{};
  std::string text{};
};

struct PtxScope;
using PtxStatement = std::variant<PtxInstruction, PtxLabel, PtxVariable, PtxLineMark, PtxPragma, PtxScope>;

/// { ... }: names that are declared within are known within.
struct PtxScope {
  PtxPlace place{};
  std::vector<PtxStatement> statements{};
};

/// .maxntid 256, 1, 1 and its kin.
struct PtxPerformanceDirective {
  PtxPlace place{};
  std::string name{};  ///< "maxntid"
  std::vector<std::uint32_t> values{};
};

struct PtxFunction {
  PtxPlace place{};
  PtxLinkage linkage = PtxLinkage::none;
  bool entry = false;
  std::string name{};
  std::vector<PtxVariable> results{}, parameters{};
  std::vector<PtxPerformanceDirective> directives{};
  std::optional<PtxScope> body{};  ///< nothing: declared only
};

struct PtxFile {
  std::uint32_t number = 0;
  std::string name{};
};

struct PtxModule {
  unsigned version_major = 0, version_minor = 0;
  std::vector<std::string> targets{};  ///< "sm_13", "map_f64_to_f32"
  unsigned address_size = 32;
  std::vector<PtxFile> files{};
  std::vector<PtxVariable> variables{};
  std::vector<PtxFunction> functions{};
};

}  // namespace teslasim::ptx
