// SPDX-License-Identifier: Apache-2.0
#include "isa/encoding/encoding_table.h"

namespace teslasim {
namespace {

constexpr BitPattern bits_at(unsigned low, unsigned width, std::uint64_t value) {
  return {((std::uint64_t{1} << width) - 1) << low, value << low};
}

// Containers: the low two bits of the first word, and for immediates those of the second.
constexpr BitPattern long_container = bits_at(0, 2, 1);
constexpr BitPattern short_container = bits_at(0, 2, 0);
constexpr BitPattern short_control_container = bits_at(0, 2, 2);
constexpr BitPattern immediate_container = bits_at(0, 2, 1) | bits_at(32, 2, 3);
constexpr BitPattern control_container = bits_at(0, 2, 3);

using namespace fields;  // NOLINT(google-build-using-namespace): the rows name fields only

#define AT(low, width, value) bits_at(low, width, value)
#define NONE (BitPattern{})
#define ROW(opcode, form, sm, bytes, fixed, usual, ...) \
  EncodingRow{Opcode::opcode, Form::form, sm, bytes, fixed, (usual).value, {__VA_ARGS__}},
#define LONG(opcode, sm, primary, secondary, fixed, usual, ...) \
  ROW(opcode, long_form, sm, 8, long_container | AT(28, 4, primary) | AT(61, 3, secondary) | fixed, usual, __VA_ARGS__)
#define CLASS(opcode, sm, fixed, usual, ...) ROW(opcode, long_form, sm, 8, long_container | fixed, usual, __VA_ARGS__)
#define SHORT(opcode, sm, fixed, usual, ...) ROW(opcode, short_form, sm, 4, short_container | fixed, usual, __VA_ARGS__)
#define STOP(opcode, sm, fixed, usual, ...) \
  ROW(opcode, short_form, sm, 4, short_control_container | fixed, usual, __VA_ARGS__)
#define IMMEDIATE(opcode, sm, fixed, usual, ...) \
  ROW(opcode, immediate_form, sm, 8, immediate_container | fixed, usual, __VA_ARGS__)
#define CONTROL(opcode, sm, fixed, usual, ...) \
  ROW(opcode, control_form, sm, 8, control_container | fixed, usual, __VA_ARGS__)

constexpr EncodingRow rows[] = {
// Immediates first: their container is the more specific one.
#include "isa/encoding/rows_long.def"
#include "isa/encoding/rows_other.def"
};

}  // namespace

std::span<const EncodingRow> encoding_rows() {
  return rows;
}

}  // namespace teslasim
