// SPDX-License-Identifier: Apache-2.0
// Ends that several ways share although their threads do not meet there are copied into each of the ways.
//
// LLVM makes one end of equal ones. Where some threads pass beside it, those that come by different ways run through it
// one after the other all the same, and what differs takes registers and jumps.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Short ends of which something is constant on one of the ways. Returns whether there were any.
bool copy_tails(IrFunction& function);

}  // namespace teslasim::compiler
