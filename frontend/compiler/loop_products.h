// SPDX-License-Identifier: Apache-2.0
// What a loop computes anew from its counter grows from turn to turn instead: products of the counter and a word from
// outside, and long ways to an address.
//
// The chip has no multiplier for 32 bits: such a product takes four or five instructions, the sum one. What is made of
// the product alone, up to an address, grows with it. Addresses of global memory grow too where three operations lead
// to them, or two from a counter that nobody else reads; those of shared, local and constant memory, whose accesses add
// and shift for nothing, where it saves an instruction. NVIDIA's compiler made pointers of all of them (PTX of nvopencc
// 3.2 for postProcessGL of its SDK, 2010). Other products by constants stay. Counters that grow alike become one.
// Source: Allen, Cocke, Kennedy 1981, Reduction of operator strength; Aho, Lam, Sethi, Ullman 2006, Compilers,
// section 9.8.
#pragma once

#include <cstddef>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Precondition: products of words are not lowered yet. At most `most` values are carried by a loop to which something
/// is added. Returns whether anything changed.
bool reduce_loop_products(IrFunction& function, std::size_t most);

}  // namespace teslasim::compiler
