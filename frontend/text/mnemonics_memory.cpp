// SPDX-License-Identifier: Apache-2.0
// Atomic operations, textures and vote.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/text/mnemonics.h"
#include "isa/names.h"

namespace teslasim::text {
namespace {

using Kind = Operand::Kind;
using Shape = ParsedOperand::Shape;

ValueType atomic_type(const Statement& s) {
  const ValueType type = s.single_type();
  const unsigned bytes = bytes_of(type);
  if (bytes == 8) return ValueType::u64;
  if (bytes != 4 || type == ValueType::f32)
    fail("ASM-TYPE", s.types_where(), fmt::format("there is no atomic operation on .{}", type_name(type)),
         "use .u32, .s32 or .u64");
  return type == ValueType::s32 ? ValueType::s32 : ValueType::u32;
}

AtomicOperation take_atomic(Statement& s) {
  const auto operation = s.take_if([](std::string_view word) { return parse_atomic(word); });
  if (!operation)
    fail("ASM-OPCODE", s.base_where, fmt::format("'{}' needs an operation", s.base),
         fmt::format("for example {}.add.u32", s.base));
  return *operation;
}

void expect_global(const ParsedOperand& operand) {
  if (!operand.is(Kind::global))
    fail("ASM-OPERAND", operand.where, "atomic operations work on global memory", "write g[$r1]");
}

Instruction build_red(Statement& s) {
  s.expect_operands({2});
  Instruction i;
  i.opcode = Opcode::red;
  i.atomic().operation = take_atomic(s);
  i.type = atomic_type(s);
  expect_global(s.operands[0]);
  s.set_store_target(i, 0, i.type);
  s.set_source(i, 0, 1, i.type);
  return i;
}

Instruction build_atom(Statement& s) {
  Instruction i;
  i.opcode = Opcode::atom;
  i.atomic().operation = take_atomic(s);
  const bool swap = i.atomic().operation == AtomicOperation::cas;
  s.expect_operands({swap ? std::size_t{4} : std::size_t{3}});
  i.type = atomic_type(s);
  expect_global(s.operands[1]);
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, i.type);
  i.source[0].type = i.type;
  s.set_source(i, 1, 2, i.type);
  if (swap) s.set_source(i, 2, 3, i.type);
  return i;
}

Instruction build_vote(Statement& s) {
  Instruction i;
  i.opcode = Opcode::vote;
  i.type = ValueType::b32;
  if (s.take("all"))
    i.vote().kind = VoteKind::all;
  else if (!s.take("any"))
    fail("ASM-OPCODE", s.base_where, "'vote' needs a kind", "write vote.any or vote.all");
  if (s.predicated)
    fail("ASM-OPERAND", s.guard_where, "'vote' cannot be predicated: its predicate field is the input",
         "branch around it");
  i.flag_destination = static_cast<std::int8_t>(s.flag_destination);
  i.condition = s.vote_input.condition;
  i.guard_flags = s.vote_input.flags;
  return i;
}

const ParsedOperand& expect_shape(const Statement& s, std::size_t position, Shape shape, std::string_view what) {
  const ParsedOperand& operand = s.operands[position];
  if (operand.shape != shape) fail("ASM-OPERAND", operand.where, fmt::format("expected {}", what));
  return operand;
}

/// {$r4,_,$r5,_}: the components named, in consecutive registers from the first one on.
void set_results(Statement& s, Instruction& i) {
  const ParsedOperand& group = expect_shape(s, 0, Shape::group, "the results in braces");
  s.remember(EncodingProblem::Place::destination, group.where);
  int next = -1;
  for (std::size_t component = 0; component < group.registers.size(); ++component) {
    const int number = group.registers[component];
    if (number < 0) continue;
    if (next >= 0 && number != next)
      fail("ASM-OPERAND", group.where, "the results of 'tex' are in consecutive registers",
           fmt::format("use $r{} here", next));
    if (next < 0) i.destination[0].index = static_cast<std::uint8_t>(number);
    next = number + 1;
    std::uint8_t& mask = i.texture().result_mask;
    mask = static_cast<std::uint8_t>(mask | (1U << component));
  }
  if (next < 0) fail("ASM-OPERAND", group.where, "'tex' has no result register", "name at least one component");
  i.destination[0].kind = Kind::gpr;
}

void set_arguments(Statement& s, Instruction& i, std::size_t position) {
  const ParsedOperand& group = expect_shape(s, position, Shape::group, "the coordinates in braces");
  s.remember(EncodingProblem::Place::source_0, group.where);
  for (std::size_t n = 0; n < group.registers.size(); ++n) {
    if (group.registers[n] != group.registers[0] + static_cast<int>(n) || group.registers[n] < 0)
      fail("ASM-OPERAND", group.where, "the arguments of 'tex' are in consecutive registers");
  }
  i.source[0].kind = Kind::gpr;
  i.source[0].index = static_cast<std::uint8_t>(group.registers[0]);
  i.texture().coordinates = static_cast<std::uint8_t>(group.registers.size());
}

void take_texture_kind(Statement& s, TextureDetails& texture) {
  if (s.take("bias"))
    texture.operation = TextureOperation::bias;
  else if (s.take("lod"))
    texture.operation = TextureOperation::level;
  else if (s.take("size"))
    texture.operation = TextureOperation::size;
  texture.live = s.take("live");
  texture.derivative = s.take("deriv");
  texture.cube = s.take("cube");
  for (unsigned dimension = 1; dimension <= 4; ++dimension) {
    if (!s.take(fmt::format("{}d", dimension))) continue;
    const unsigned wanted = dimension + (texture.has_extra_argument() ? 1 : 0);
    if (texture.coordinates != wanted)
      fail("ASM-OPERAND", s.place_of(EncodingProblem::Place::source_0),
           fmt::format("'tex' has {} argument registers here, expected {}", texture.coordinates, wanted));
  }
}

Instruction build_tex(Statement& s) {
  if (s.operands.size() < 3) s.expect_operands({3});
  Instruction i;
  i.opcode = Opcode::tex;
  i.type = ValueType::b32;
  set_results(s, i);
  TextureDetails& texture = i.texture();
  texture.texture = static_cast<std::uint8_t>(expect_shape(s, 1, Shape::texture, "a texture, $tex0").number);
  const bool own_sampler = s.operands[2].shape == Shape::sampler;
  const unsigned sampler = own_sampler ? s.operands[2].number : texture.texture;
  constexpr unsigned samplers = 32;
  if (sampler >= samplers)
    fail("ASM-RANGE", s.operands[1].where, "there are 32 samplers", "name one: $tex40, $smp0, {...}");
  texture.sampler = static_cast<std::uint8_t>(sampler);
  const std::size_t arguments = own_sampler ? 3 : 2;
  if (s.operands.size() <= arguments) s.expect_operands({arguments + 1});
  set_arguments(s, i, arguments);
  take_texture_kind(s, texture);
  for (std::size_t n = arguments + 1; n < s.operands.size(); ++n) {
    if (n > arguments + 3) s.expect_operands({arguments + 4});
    const Value& offset = expect_shape(s, n, Shape::number, "a texel offset").value;
    const auto bits = static_cast<unsigned>(checked(offset, -8, 7, "the texel offset")) & 15U;
    texture.texel_offsets = static_cast<std::uint16_t>(texture.texel_offsets | (bits << (4 * (n - arguments - 1))));
  }
  texture.texel_fetch = !s.types.empty() && s.types.back().type != ValueType::f32;
  return i;
}

constexpr auto rows = std::to_array<Mnemonic>({{"red", OperandSyntax::general, build_red},
                                               {"atom", OperandSyntax::general, build_atom},
                                               {"vote", OperandSyntax::vote, build_vote},
                                               {"tex", OperandSyntax::general, build_tex}});

}  // namespace

std::span<const Mnemonic> memory_mnemonics() {
  return rows;
}

}  // namespace teslasim::text
