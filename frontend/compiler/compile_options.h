// SPDX-License-Identifier: Apache-2.0
// What the user of the compiler may choose.
#pragma once

#include <cstdint>
#include <string>

namespace teslasim::compiler {

struct CompileOptions {
  std::uint8_t sm = 13;            ///< 10..13
  bool level_named = false;        ///< the user asked for `sm`: a machine below it refuses the code
  unsigned optimization = 3;       ///< 0: only what is needed; 1..3: everything
  unsigned maximum_registers = 0;  ///< per thread; 0: as many as the chip has
  bool contract = true;            ///< a * b + c becomes mad (f32), as nvcc did
  bool fast_math = false;          ///< approximate divisions
  bool demote_doubles = true;      ///< below sm_13 f64 becomes f32, with a warning; false: an error
  std::string print_after{};       ///< name of a pass, "all", or "" for none
  bool ptx_lines = false;          ///< lines of instructions are those of the PTX text, not of .loc
  std::string source_file{};       ///< file in .loc whose lines are kept; "": of all
};

/// What to do about an operation that only chips from sm_11, sm_12 or sm_13 on have: code is made for the machine on
/// which it runs, whatever level the source was compiled for.
inline std::string help_for_level(unsigned level) {
  const std::string machine = level == 11 ? "9800gtx" : level == 12 ? "gt220" : "gtx280";
  return "compile with -arch sm_" + std::to_string(level) + ", and run it on a machine of that level: -c " + machine;
}

}  // namespace teslasim::compiler
