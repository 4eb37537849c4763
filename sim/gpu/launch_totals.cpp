// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/launch_totals.h"

#include <algorithm>

namespace teslasim {
namespace {

void add_instruction(LaunchStatistics& total, const Instruction& instruction, const PcStatistics& pc) {
  const OpcodeInfo& row = instruction.row();
  total.warp_instructions += pc.warp_issues;
  total.thread_instructions += pc.thread_issues;
  total.null_instructions += pc.null_issues;
  total.issued_by_class[static_cast<unsigned>(row.issue_class)] += pc.warp_issues;
  if (instruction.opcode == Opcode::bra) total.branches += pc.warp_issues;
  total.divergent_branches += pc.divergent;
  total.shared += pc.shared;
  total.constant += pc.constant;
  if (row.issue_class == IssueClass::local) {
    total.local += pc.memory;
  } else if (row.issue_class == IssueClass::tex) {
    total.texture += pc.memory;
  } else {
    total.global += pc.memory;
  }
}

void sort_blamed(PcStatistics& pc) {
  std::sort(pc.blamed.begin(), pc.blamed.end(), [](const auto& left, const auto& right) {
    return left.second != right.second ? left.second > right.second : left.first < right.first;
  });
}

}  // namespace

void add_totals(LaunchStatistics& statistics, const Kernel& kernel) {
  for (std::size_t i = 0; i < statistics.pcs.size(); ++i) {
    sort_blamed(statistics.pcs[i]);
    for (auto& [producer, slots] : statistics.pcs[i].blamed) {
      producer = kernel.code[producer].pc;
    }
    add_instruction(statistics, kernel.code[i], statistics.pcs[i]);
  }
  for (const SmStatistics& sm : statistics.sms) {
    statistics.slots += sm.slots;
    statistics.warp_cycles += sm.warp_cycles;
    statistics.banks += sm.banks;
  }
}

}  // namespace teslasim
