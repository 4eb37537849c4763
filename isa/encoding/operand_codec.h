// SPDX-License-Identifier: Apache-2.0
// Building blocks of operand fields: registers, the address register with its post-increment bit, offsets, the access
// type of s[].
#pragma once

#include "isa/encoding/field_codec.h"
#include "isa/instruction.h"

namespace teslasim {

/// Whether the container is a long one (wide register and offset fields, three-bit address register number).
enum class FieldSize : std::uint8_t { short_fields, long_fields };

/// A register field of `width` bits at `low` holding an operand of `bytes` (1 and 2: a register half, 4, 8, 16).
void register_operand(FieldCodec& codec, Operand& operand, unsigned low, unsigned width, unsigned bytes);

/// The result register of a long instruction, or the bit bucket.
void result_operand(FieldCodec& codec, Operand& operand, unsigned bytes);

/// $a number and post-increment bit; only the first memory operand of an instruction has them.
void address_field(FieldCodec& codec, Operand& operand, FieldSize size);

/// A short offset field counted in `unit` bytes, signed when the address register is incremented.
void narrow_offset(FieldCodec& codec, Operand& operand, unsigned low, unsigned width, unsigned unit);

/// An offset field that covers 16 bits of address, from bit 9.
void wide_offset(FieldCodec& codec, Operand& operand, unsigned unit);

/// Access type of s[] and c[] loads: u8, u16, s16 or b32, in two bits at `low`.
void access_type(FieldCodec& codec, Operand& operand, unsigned low);

/// A short s[] operand: access type, offset, address register.
void shared_operand(FieldCodec& codec, Operand& operand, FieldSize size);

/// A c[] operand of the second or third position (`low` is its field), in units of `unit` bytes.
void constant_operand(FieldCodec& codec, Operand& operand, unsigned low, unsigned unit);

/// A c[] operand of the short form: one bank bit, five offset bits.
void short_constant_operand(FieldCodec& codec, Operand& operand, unsigned unit);

/// Register or s[], chosen by bit 53 (long) or 24 (short and immediate).
void register_or_shared(FieldCodec& codec, Operand& operand, FieldSize size, unsigned bytes);

/// Register or c[] at `low`, chosen by bit `choice` (23 second, 24 third).
void register_or_constant(FieldCodec& codec, Operand& operand, unsigned low, unsigned choice, unsigned bytes);

/// Register or c[] of the short form.
void short_register_or_constant(FieldCodec& codec, Operand& operand, unsigned bytes);

}  // namespace teslasim
