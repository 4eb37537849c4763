// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_operations.h"

namespace teslasim::ptx {
namespace {

using enum PtxRole;
using enum PtxType;
using Op = PtxOpcode;

constexpr PtxTypes small{b8, u8, s8}, bits{b16, b32, b64}, words{u32, s32}, floats{f32, f64}, single{f32};
constexpr PtxTypes unsigned_integers{u16, u32, u64}, signed_integers{s16, s32, s64};
constexpr PtxTypes integers = unsigned_integers | signed_integers;
constexpr PtxTypes numbers = integers | floats;
constexpr PtxTypes values = bits | numbers;
constexpr PtxTypes stored = small | values;
constexpr PtxTypes converted = numbers | PtxTypes{u8, s8, f16};
constexpr PtxTypes logic = bits | PtxTypes{pred};
constexpr PtxTypes large_bits{b32, b64};
constexpr PtxTypes untyped{};

constexpr std::string_view compare = "!eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor ftz";
constexpr std::string_view rounded = "rn|rz|rm|rp ftz sat";
constexpr std::string_view divided = "approx|full|rn|rz|rm|rp ftz";
constexpr std::string_view approximate = "approx ftz";
constexpr std::string_view conversions = "rn|rz|rm|rp|rni|rzi|rmi|rpi ftz sat";
constexpr std::string_view load_modifiers = "volatile const|global|local|param|shared ca|cg|cs|lu|cv v2|v4";
constexpr std::string_view store_modifiers = "volatile global|local|param|shared wb|cg|cs|wt v2|v4";
constexpr std::string_view atomic_modifiers = "global|shared !and|or|xor|exch|add|inc|dec|min|max";
constexpr PtxTypes atomic_types{b32, b64, u32, s32, u64, f32};

/// Operands that are always there, and after them some that may be left out.
struct Roles {
  std::array<PtxRole, 5> roles{};
  std::uint8_t fewest = 0, most = 0;
};

constexpr Roles roles(std::initializer_list<PtxRole> needed, std::initializer_list<PtxRole> optional = {}) {
  Roles result;
  for (const PtxRole role : needed) result.roles[result.most++] = role;
  result.fewest = result.most;
  for (const PtxRole role : optional) result.roles[result.most++] = role;
  return result;
}

constexpr Roles no_operands = roles({});
constexpr Roles unary = roles({result, source});
constexpr Roles binary = roles({result, source, source});
constexpr Roles ternary = roles({result, source, source, source});
constexpr Roles shift = roles({result, source, source_count});
constexpr Roles to_word = roles({result_word, source});

constexpr PtxOperation row(Op opcode, std::string_view name, std::string_view modifiers, PtxTypes first,
                           PtxTypes second, const Roles& operands) {
  return {opcode, name, modifiers, first, second, operands.roles, operands.fewest, operands.most};
}

// Rows of one name stand together.
constexpr auto rows = std::to_array<PtxOperation>({
    // Integers and floats.
    row(Op::add, "add", "!sat", {s32}, untyped, binary),
    row(Op::add, "add", "!cc", words, untyped, binary),
    row(Op::add, "add", "", integers, untyped, binary),
    row(Op::add, "add", rounded, floats, untyped, binary),
    row(Op::add_with_carry, "addc", "cc", words, untyped, binary),
    row(Op::subtract, "sub", "!sat", {s32}, untyped, binary),
    row(Op::subtract, "sub", "!cc", words, untyped, binary),
    row(Op::subtract, "sub", "", integers, untyped, binary),
    row(Op::subtract, "sub", rounded, floats, untyped, binary),
    row(Op::subtract_with_borrow, "subc", "cc", words, untyped, binary),
    row(Op::multiply, "mul", "!wide", {u16, u32, s16, s32}, untyped, roles({result_wide, source, source})),
    row(Op::multiply, "mul", "!lo|hi", integers, untyped, binary),
    row(Op::multiply, "mul", rounded, floats, untyped, binary),
    row(Op::multiply_add, "mad", "!wide", {u16, u32, s16, s32}, untyped,
        roles({result_wide, source, source, source_wide})),
    row(Op::multiply_add, "mad", "!hi !sat", {s32}, untyped, ternary),
    row(Op::multiply_add, "mad", "!lo|hi !cc", words, untyped, ternary),
    row(Op::multiply_add, "mad", "!lo|hi", integers, untyped, ternary),
    row(Op::multiply_add, "mad", rounded, floats, untyped, ternary),
    row(Op::multiply_add_with_carry, "madc", "!lo|hi cc", words, untyped, ternary),
    row(Op::fused_multiply_add, "fma", "!rn|rz|rm|rp ftz sat", floats, untyped, ternary),
    row(Op::multiply_24, "mul24", "!lo|hi", words, untyped, binary),
    row(Op::multiply_add_24, "mad24", "!hi !sat", {s32}, untyped, ternary),
    row(Op::multiply_add_24, "mad24", "!lo|hi", words, untyped, ternary),
    row(Op::sum_of_differences, "sad", "", integers, untyped, ternary),
    row(Op::divide, "div", "", integers, untyped, binary),
    row(Op::divide, "div", divided, floats, untyped, binary),
    row(Op::remainder, "rem", "", integers, untyped, binary),
    row(Op::absolute, "abs", "ftz", signed_integers | floats, untyped, unary),
    row(Op::negate, "neg", "ftz", signed_integers | floats, untyped, unary),
    row(Op::minimum, "min", "ftz", numbers, untyped, binary),
    row(Op::maximum, "max", "ftz", numbers, untyped, binary),
    row(Op::reciprocal, "rcp", "approx|rn|rz|rm|rp ftz", floats, untyped, unary),
    row(Op::square_root, "sqrt", "approx|rn|rz|rm|rp ftz", floats, untyped, unary),
    row(Op::reciprocal_root, "rsqrt", approximate, floats, untyped, unary),
    row(Op::sine, "sin", approximate, single, untyped, unary),
    row(Op::cosine, "cos", approximate, single, untyped, unary),
    row(Op::logarithm, "lg2", approximate, single, untyped, unary),
    row(Op::power, "ex2", approximate, single, untyped, unary),
    // Bits.
    row(Op::bit_and, "and", "", logic, untyped, binary),
    row(Op::bit_or, "or", "", logic, untyped, binary),
    row(Op::bit_xor, "xor", "", logic, untyped, binary),
    row(Op::bit_not, "not", "", logic, untyped, unary),
    row(Op::logical_not, "cnot", "", bits, untyped, unary),
    row(Op::shift_left, "shl", "", bits, untyped, shift),
    row(Op::shift_right, "shr", "", bits | integers, untyped, shift),
    row(Op::count_ones, "popc", "", large_bits, untyped, to_word),
    row(Op::count_leading_zeros, "clz", "", large_bits, untyped, to_word),
    row(Op::find_leading_bit, "bfind", "shiftamt", {u32, u64, s32, s64}, untyped, to_word),
    row(Op::bit_reverse, "brev", "", large_bits, untyped, unary),
    row(Op::bit_field_extract, "bfe", "", {u32, u64, s32, s64}, untyped,
        roles({result, source, source_count, source_count})),
    row(Op::bit_field_insert, "bfi", "", large_bits, untyped,
        roles({result, source, source, source_count, source_count})),
    row(Op::permute, "prmt", "", {b32}, untyped, ternary),
    // Comparing and selecting.
    row(Op::set, "set", compare, {u32, s32, f32}, values,
        roles({result, source_second, source_second}, {source_predicate})),
    row(Op::set_predicate, "setp", compare, values, untyped,
        roles({result_predicate, source, source}, {source_predicate})),
    row(Op::select, "selp", "", values, untyped, roles({result, source, source, source_predicate})),
    row(Op::select_by_sign, "slct", "ftz", values, {s32, f32}, roles({result, source, source, source_second})),
    // Moving.
    row(Op::move, "mov", "", values | PtxTypes{pred}, untyped, roles({result_moved, source_moved})),
    row(Op::convert, "cvt", conversions, converted, converted, roles({result_loose, source_loose})),
    row(Op::convert_address, "cvta", "to !const|global|local|shared", {u32, u64}, untyped,
        roles({result, source_moved})),
    // Memory.
    row(Op::load, "ld", load_modifiers, stored, untyped, roles({result_loaded, address})),
    row(Op::load_uniform, "ldu", "global v2|v4", stored, untyped, roles({result_loaded, address})),
    row(Op::store, "st", store_modifiers, stored, untyped, roles({address, source_stored})),
    row(Op::atomic, "atom", "global|shared !cas", {b32, b64, u32, s32, u64}, untyped,
        roles({result, address, source, source})),
    row(Op::atomic, "atom", atomic_modifiers, atomic_types, untyped, roles({result, address, source})),
    row(Op::reduction, "red", atomic_modifiers, atomic_types, untyped, roles({address, source})),
    row(Op::texture, "tex", "!1d|2d|3d !v4", {b32, u32, s32, f32}, {s32, f32}, roles({result_texel, texture})),
    row(Op::prefetch, "prefetch", "global|local !L1|L2", untyped, untyped, roles({address})),
    // Control.
    row(Op::branch, "bra", "uni", untyped, untyped, roles({label})),
    row(Op::call, "call", "uni", untyped, untyped, roles({callee}, {callee, callee})),
    row(Op::return_, "ret", "uni", untyped, untyped, no_operands),
    row(Op::exit, "exit", "", untyped, untyped, no_operands),
    row(Op::trap, "trap", "", untyped, untyped, no_operands),
    row(Op::breakpoint, "brkpt", "", untyped, untyped, no_operands),
    row(Op::performance_event, "pmevent", "", untyped, untyped, roles({source_count})),
    row(Op::barrier, "bar", "!sync", untyped, untyped, roles({source_count}, {source_count})),
    row(Op::barrier, "bar", "!arrive", untyped, untyped, roles({source_count, source_count})),
    row(Op::memory_barrier, "membar", "!cta|gl|sys", untyped, untyped, no_operands),
    row(Op::vote, "vote", "!ballot", {b32}, untyped, roles({result, source_predicate})),
    row(Op::vote, "vote", "!all|any|uni", {pred}, untyped, roles({result_predicate, source_predicate})),
});

}  // namespace

std::span<const PtxOperation> ptx_operations() {
  return rows;
}

}  // namespace teslasim::ptx
