// SPDX-License-Identifier: Apache-2.0
// The fields that rows of the encoding table are made of. Each works in both directions; the order within a row
// matters: what decides the width of operands (types) comes before the operands, what decides about carry before the
// guard. Bit numbers count from the first word: bit 32 is bit 0 of the second.
#pragma once

#include "isa/encoding/field_codec.h"
#include "isa/instruction.h"

namespace teslasim {

using FieldFunction = void (*)(FieldCodec&, Instruction&);

namespace fields {

#define FIELD(name, text) void name(FieldCodec& codec, Instruction& instruction);
#include "isa/encoding/fields.def"
#undef FIELD

}  // namespace fields
}  // namespace teslasim
