// SPDX-License-Identifier: Apache-2.0
// Instructions, kernels and modules as assembly text. What it prints, the assembler reads back to the same instructions
// (for instructions that can be encoded; see `encoding_problem`).
//
// Stands for: the printer of decuda (van der Laan 2008) with its known mistakes corrected.
#pragma once

#include <functional>
#include <string>

#include "isa/program.h"

namespace teslasim {

/// One instruction without address and label. Branch targets are labels of `labels` where it has one, else addresses.
[[nodiscard]] std::string to_text(const Instruction& instruction, const Kernel* labels = nullptr);

/// One line per instruction: six-digit address, labels, text.
[[nodiscard]] std::string listing(const Kernel& kernel);

/// Gives each branch target without a name the next free `labelN`, in address order.
void name_targets(Kernel& kernel);

/// Prints one instruction of a kernel; the default is `to_text`.
using InstructionPrinter = std::function<std::string(const Instruction&, const Kernel&)>;

/// A whole kernel or module as a file for the assembler, with labels for all branch targets.
[[nodiscard]] std::string to_assembly(const Kernel& kernel, const InstructionPrinter& print = {});
[[nodiscard]] std::string listing(const Module& module, const InstructionPrinter& print = {});

}  // namespace teslasim
