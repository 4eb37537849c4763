// SPDX-License-Identifier: Apache-2.0
// What a loop computes anew from its counter grows from turn to turn instead: products of the counter and a word from
// outside, and long ways to an address.
//
// The chip has no multiplier for 32 bits: such a product takes four or five instructions, the sum one. What is made of
// the product alone, up to an address, grows with it. Addresses of global memory grow too where three operations lead
// to them, since its accesses add nothing to an address; those of shared memory add an offset for nothing and stay, as
// do products by constants. Counters that grow alike become one. Source: Allen, Cocke, Kennedy 1981, Reduction of
// operator strength; Aho, Lam, Sethi, Ullman 2006, Compilers, section 9.8.
#pragma once

#include <cstddef>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// `or` of a counter and bits that it never has becomes a sum, so that constants move on to the addresses. Returns
/// whether anything changed.
bool write_counter_sums(IrFunction& function);

/// Precondition: products of words are not lowered yet. At most `most` values are carried by a loop to which something
/// is added. Returns whether anything changed.
bool reduce_loop_products(IrFunction& function, std::size_t most);

}  // namespace teslasim::compiler
