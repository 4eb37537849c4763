// SPDX-License-Identifier: Apache-2.0
// Functions of the runtime library that a kernel calls instead of having them inline, as NVIDIA's compiler did with
// divisions: the code stands once, behind the kernel.
//
// The dividend goes in and the quotient or remainder comes back in one register, the divisor stays in another. The
// allocator chooses them for each kernel, and for what a routine writes registers in which no caller has anything.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/compiler/ir.h"
#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// Precondition: `name` is one of them.
[[nodiscard]] std::uint32_t routine_number(std::string_view name);
[[nodiscard]] std::string_view routine_name(std::uint32_t number);

/// The routine as this kernel has it, with a block that is still empty when it was not there yet. The reference is good
/// until the next one is asked for.
[[nodiscard]] MachineRoutine& routine_of(MachineFunction& machine, std::uint32_t number);

}  // namespace teslasim::compiler
