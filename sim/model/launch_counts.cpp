// SPDX-License-Identifier: Apache-2.0
#include "sim/model/launch_counts.h"

#include <algorithm>

namespace teslasim {
namespace {

enum class Kind : std::uint8_t { fp32, fma32, fp64, fma64, integer, load_store, other };

Kind kind_of_move(const Instruction& instruction) {
  return instruction.accesses_shared() || instruction.reads_constant_operand ? Kind::load_store : Kind::other;
}

Kind kind_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::fmad:
      return Kind::fma32;
    case Opcode::dfma:
      return Kind::fma64;
    case Opcode::fadd:
    case Opcode::fmul:
    case Opcode::fset:
    case Opcode::fmax:
    case Opcode::fmin:
    case Opcode::slct:
    case Opcode::presin:
    case Opcode::preex2:
      return Kind::fp32;
    case Opcode::mov:
    case Opcode::load_constant:
    case Opcode::load_shared:
    case Opcode::store_shared:
      return kind_of_move(instruction);
    default:
      break;
  }
  if (instruction.opcode >= Opcode::add && instruction.opcode <= Opcode::logic_pass) return Kind::integer;
  if (instruction.unit() == UnitClass::sfu) return Kind::fp32;
  if (instruction.unit() == UnitClass::dp) return Kind::fp64;
  return instruction.unit() == UnitClass::memory ? Kind::load_store : Kind::other;
}

void add(LaunchCounts& counts, Kind kind, std::uint64_t threads) {
  switch (kind) {
    case Kind::fma32:
      counts.fma32 += threads;
      [[fallthrough]];
    case Kind::fp32:
      counts.fp32 += threads;
      break;
    case Kind::fma64:
      counts.fma64 += threads;
      [[fallthrough]];
    case Kind::fp64:
      counts.fp64 += threads;
      break;
    case Kind::integer:
      counts.integer += threads;
      break;
    case Kind::load_store:
      counts.load_store += threads;
      break;
    case Kind::other:
      break;
  }
}

/// Whether the half-warps of this address made more transactions than one (two for 16-byte words) each.
void add_traffic(LaunchCounts& counts, const PcStatistics& pc) {
  const std::uint64_t executions = pc.warp_issues - pc.null_issues;
  counts.memory_instructions += executions;
  const CoalescingStatistics& memory = pc.memory;
  const std::uint64_t transactions =
      memory.transactions_16 + memory.transactions_32 + memory.transactions_64 + memory.transactions_128;
  const std::uint64_t bytes_per_lane = pc.thread_issues == 0 ? 4 : memory.bytes_used / pc.thread_issues;
  const std::uint64_t least = memory.requests_half_warp * (bytes_per_lane > 8 ? 2 : 1);
  if (transactions <= least) return;
  counts.uncoalesced_instructions += executions;
  counts.uncoalesced_transactions += transactions;
}

}  // namespace

LaunchCounts count_launch(const Launch& launch, const LaunchStatistics& statistics) {
  LaunchCounts counts;
  for (std::size_t i = 0; i < statistics.pcs.size(); ++i) {
    const Instruction& instruction = launch.kernel->code[i];
    const PcStatistics& pc = statistics.pcs[i];
    add(counts, kind_of(instruction), pc.thread_issues);
    counts.whole.instructions[static_cast<unsigned>(throughput_type(instruction))] += pc.warp_issues;
    counts.whole.shared_passes += pc.shared.accesses + pc.shared.replays;
    if (instruction.unit() == UnitClass::memory) add_traffic(counts, pc);
  }
  counts.whole.global_bytes = statistics.global.bytes + statistics.texture.bytes;
  return counts;
}

}  // namespace teslasim
