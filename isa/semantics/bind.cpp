// SPDX-License-Identifier: Apache-2.0
// The table from operations to the families that perform them: one row per operation with lane-wise semantics.
#include <array>
#include <cstddef>

#include "isa/semantics/families.h"
#include "isa/semantics/lanes.h"

namespace teslasim {

namespace {

using Binder = Semantics (*)(const Instruction&);

struct Row {
  Opcode opcode;
  Binder binder;
};

/// Operations that are not here (control, memory) have no lane-wise part: sim/exec carries them out.
constexpr Row rows[] = {
    {Opcode::mov, &semantics::bind_move},
    {Opcode::mov_from_flags, &semantics::bind_move},
    {Opcode::mov_from_address, &semantics::bind_move},
    {Opcode::mov_from_special, &semantics::bind_move},
    {Opcode::mov_to_flags, &semantics::bind_move},
    {Opcode::shift_to_address, &semantics::bind_move},
    {Opcode::add_address, &semantics::bind_move},
    {Opcode::load_constant, &semantics::bind_move},
    {Opcode::load_shared, &semantics::bind_move},
    {Opcode::vote, &semantics::bind_move},
    {Opcode::add, &semantics::bind_integer_add},
    {Opcode::sub, &semantics::bind_integer_add},
    {Opcode::subr, &semantics::bind_integer_add},
    {Opcode::addc, &semantics::bind_integer_add},
    {Opcode::sad, &semantics::bind_integer_add},
    {Opcode::set, &semantics::bind_integer_compare},
    {Opcode::max, &semantics::bind_integer_compare},
    {Opcode::min, &semantics::bind_integer_compare},
    {Opcode::shl, &semantics::bind_shift},
    {Opcode::shr, &semantics::bind_shift},
    {Opcode::mul, &semantics::bind_multiply},
    {Opcode::mad, &semantics::bind_multiply},
    {Opcode::logic_and, &semantics::bind_logic},
    {Opcode::logic_or, &semantics::bind_logic},
    {Opcode::logic_xor, &semantics::bind_logic},
    {Opcode::logic_pass, &semantics::bind_logic},
    {Opcode::convert_int_int, &semantics::bind_convert},
    {Opcode::convert_int_float, &semantics::bind_convert},
    {Opcode::convert_float_int, &semantics::bind_convert},
    {Opcode::convert_float_float, &semantics::bind_convert},
    {Opcode::fadd, &semantics::bind_float},
    {Opcode::fmul, &semantics::bind_float},
    {Opcode::fmad, &semantics::bind_float},
    {Opcode::quadop, &semantics::bind_float},
    {Opcode::fset, &semantics::bind_float_compare},
    {Opcode::fmax, &semantics::bind_float_compare},
    {Opcode::fmin, &semantics::bind_float_compare},
    {Opcode::slct, &semantics::bind_float_compare},
    {Opcode::presin, &semantics::bind_special},
    {Opcode::preex2, &semantics::bind_special},
    {Opcode::rcp, &semantics::bind_special},
    {Opcode::rsqrt, &semantics::bind_special},
    {Opcode::lg2, &semantics::bind_special},
    {Opcode::sin, &semantics::bind_special},
    {Opcode::cos, &semantics::bind_special},
    {Opcode::ex2, &semantics::bind_special},
    {Opcode::dfma, &semantics::bind_double},
    {Opcode::dadd, &semantics::bind_double},
    {Opcode::dmul, &semantics::bind_double},
    {Opcode::dmin, &semantics::bind_double},
    {Opcode::dmax, &semantics::bind_double},
    {Opcode::dset, &semantics::bind_double},
};

constexpr std::array<Binder, opcode_count> make_table() {
  std::array<Binder, opcode_count> table{};
  for (const Row& row : rows) table[static_cast<std::size_t>(row.opcode)] = row.binder;
  return table;
}

constexpr auto table = make_table();

}  // namespace

Semantics bind_semantics(const Instruction& instruction) {
  const Binder binder = table[static_cast<std::size_t>(instruction.opcode)];
  return binder == nullptr ? nullptr : binder(instruction);
}

}  // namespace teslasim
