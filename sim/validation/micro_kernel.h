// SPDX-License-Identifier: Apache-2.0
// The micro-benchmarks of traces/micro as code: one kernel of one file, with the parameters that a measurement asks
// for.
//
// A file is ordinary assembly and assembles as it is. Two things are replaced before it is read: the value of each line
// `.equ NAME, VALUE` whose name is a parameter, and of the lines at the end that make kernels (`MACRO STEP`) only the
// wanted one is kept.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "isa/program.h"

namespace teslasim {

using MicroParameters = std::map<std::string, std::int64_t, std::less<>>;

/// Names one kernel: `latency mad_2` of file `alu` with COUNT = 128.
struct MicroKernel {
  std::string file;     ///< stem of the file in traces/micro
  std::string wrapper;  ///< the macro that makes the kernel, e.g. "latency"
  std::string step;     ///< what it repeats, e.g. "mad_2"
  MicroParameters parameters{};
};

/// Assembles it. Throws InternalError when the file, the kernel or a parameter does not exist, InputError when it does
/// not assemble.
[[nodiscard]] std::shared_ptr<const Module> assemble(const MicroKernel& kernel);

/// The text that is assembled.
[[nodiscard]] std::string micro_kernel_text(const MicroKernel& kernel);

/// A file of traces/micro by its name ("alu.asm"); empty when there is none.
[[nodiscard]] std::string_view micro_file(std::string_view name);

}  // namespace teslasim
