// SPDX-License-Identifier: Apache-2.0
// What the user of the compiler may choose.
#pragma once

#include <cstdint>
#include <string>

namespace teslasim::compiler {

struct CompileOptions {
  std::uint8_t sm = 13;            ///< 10..13
  unsigned optimization = 3;       ///< 0: only what is needed; 1..3: everything
  unsigned maximum_registers = 0;  ///< per thread; 0: as many as the chip has
  bool contract = true;            ///< a * b + c becomes mad (f32), as nvcc did
  bool fast_math = false;          ///< approximate divisions
  bool demote_doubles = true;      ///< below sm_13 f64 becomes f32, with a warning; false: an error
  std::string print_after{};       ///< name of a pass, "all", or "" for none
  bool ptx_lines = false;          ///< lines of instructions are those of the PTX text, not of .loc
  std::string source_file{};       ///< file in .loc whose lines are kept; "": of all
};

}  // namespace teslasim::compiler
