// SPDX-License-Identifier: Apache-2.0
// Accesses to s[], l[] and c[] whose address is known count in their own size: others do not exist on the chip.
#pragma once

#include <vector>

#include "frontend/compiler/ir.h"
#include "frontend/ptx/ptx_lexer.h"

namespace teslasim::compiler {

/// The mistake of an access of `bytes` at this address.
[[nodiscard]] ptx::PtxMistake misaligned(const ptx::PtxPlace& place, std::uint32_t address, unsigned bytes);

/// Reports accesses that optimisation has found to be at a wrong address. Addresses that only the threads know are not
/// looked at: those end the launch.
void check_alignment(const IrFunction& function, std::vector<ptx::PtxMistake>& mistakes);

}  // namespace teslasim::compiler
