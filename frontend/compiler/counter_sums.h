// SPDX-License-Identifier: Apache-2.0
// Sums of a loop's counter and bits that it never has, which LLVM writes as `or`, are sums again, so that constants
// move on to the addresses.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Returns whether anything changed.
bool write_counter_sums(IrFunction& function);

}  // namespace teslasim::compiler
