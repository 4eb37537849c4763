// SPDX-License-Identifier: Apache-2.0
// An address that is one term away from an earlier one is that address plus the term.
//
// Accesses to global memory add nothing to an address. A loop down a column that is unrolled, or a stencil, writes
// `base + 4 * ((y + 1) * width + x)` for each access: five to eight instructions where one addition of `4 * width`
// suffices. Source: Wu et al. 2016, gpucc: an open-source GPGPU compiler, section 4.2 (straight-line strength
// reduction), here for any sums that differ by one term.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Precondition: products of words are not lowered yet. Within blocks. Returns whether anything changed.
bool step_addresses(IrFunction& function);

}  // namespace teslasim::compiler
