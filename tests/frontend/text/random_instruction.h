// SPDX-License-Identifier: Apache-2.0
// Random instructions that the hardware can encode, in normal form (isa/README.md), for property tests.
#pragma once

#include <cstdint>
#include <random>

#include "isa/instruction.h"

namespace teslasim::test {

/// A finished instruction; every operation and form can come up.
[[nodiscard]] Instruction random_instruction(std::mt19937_64& random);
/// A finished instruction of one operation and form, which must exist.
[[nodiscard]] Instruction random_instruction(std::mt19937_64& random, Opcode opcode, Form form);

}  // namespace teslasim::test
