// SPDX-License-Identifier: Apache-2.0
// Results that nobody reads: the instruction goes, or keeps only its flags.
#pragma once

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

void remove_unread_results(MachineFunction& function);

}  // namespace teslasim::compiler
