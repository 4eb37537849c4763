// SPDX-License-Identifier: Apache-2.0
// One run of the assembler. Lines are processed in order, once; .rept and macros feed their bodies back in.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/directives.h"
#include "frontend/text/expansion.h"
#include "frontend/text/module_builder.h"

namespace teslasim::text {

class Assembly {
 public:
  Assembly(std::string_view text, std::string path, const AssemblerLimits& limits);
  /// Throws InputError when anything is wrong.
  [[nodiscard]] Module run();

 private:
  void take_lines();
  void warn_of_corrections(const std::vector<std::string>& corrections);
  void process(const SourceLines& lines, const Expansion* expansion);
  void process_statement(LineReference where);
  void statement(Cursor& cursor, LineReference where);
  void take_labels(Cursor& cursor, LineReference where);
  void add_instruction(Cursor& cursor, LineReference where);
  void check_end();

  bool decuda_;  ///< the file is decuda's own output
  ModuleBuilder builder_;
  Directives directives_{builder_};
  Expander expander_;
  std::deque<SourceLine> lines_;  ///< of the file; addresses stay valid
};

}  // namespace teslasim::text
