// SPDX-License-Identifier: Apache-2.0
// Checks that a recorded instruction is possible for its static instruction. Traces may be written by hand or by other
// programs, and the pipeline relies on this in a replay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/program.h"
#include "sim/trace/instruction_record.h"

namespace teslasim {

class RecordCheck {
 public:
  explicit RecordCheck(const Kernel& kernel);

  /// Nothing, or what is wrong in words.
  [[nodiscard]] std::string problem(const InstructionRecord& record) const {
    return fits(record) ? std::string() : describe(record);
  }
  [[nodiscard]] bool fits(const InstructionRecord& record) const;

 private:
  struct Rule {
    bool shared = false, constant = false, memory = false;
    std::uint8_t kind = 0, space = 0;
  };

  [[nodiscard]] std::string describe(const InstructionRecord& record) const;

  std::vector<Rule> rules_;
};

}  // namespace teslasim
