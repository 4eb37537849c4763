// SPDX-License-Identifier: Apache-2.0
// A counter that only says when a loop ends is not kept where an address says it too.
//
// `i != n` becomes `address != first + 4 * n` for an access that every turn makes: one addition less in each turn.
// The address can tell turns apart because no memory of these chips has all of its 4 GB: whoever comes to an address
// again has left every buffer before. NVIDIA's compiler did the same with pointers of 32 bits (PTX of nvopencc 3.1 for
// histogram of its SDK 3.0, and of 3.2 for postProcessGL, 2010). Source: Allen, Cocke, Kennedy 1981, Reduction of
// operator strength, test replacement.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Precondition: which branches part threads is known, since addresses differ between threads where counters do not.
/// Loops that are known to end within three turns keep their counters, and so do those whose addresses all grow in
/// address registers (`grow_addresses`), which no comparison reads. Returns whether anything changed.
bool replace_loop_ends(IrFunction& function);

}  // namespace teslasim::compiler
