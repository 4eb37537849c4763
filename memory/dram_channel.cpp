// SPDX-License-Identifier: Apache-2.0
#include "memory/dram_channel.h"

#include "sim/base/diagnostic.h"

namespace teslasim {

DramChannel::DramChannel(const MemoryPath& path)
    : period_(path.plan.memory_period),
      access_time_(path.latency.dram),
      bytes_per_cycle_(path.bytes_per_memory_cycle) {}

void DramChannel::reset() {
  free_at_ = 0;
  last_completion_ = 0;
  statistics_ = {};
}

Femtoseconds DramChannel::serve(Femtoseconds now, const MemoryTransaction& transaction) {
  SIM_CHECK(now >= free_at_, "the data bus is still in use");
  const Cycle cycles = (transaction.bytes + bytes_per_cycle_ - 1) / bytes_per_cycle_;
  statistics_.busy_cycles += cycles;
  if (transaction.write) {
    ++statistics_.write_transactions;
    statistics_.write_bytes += transaction.bytes;
  } else {
    ++statistics_.read_transactions;
    statistics_.read_bytes += transaction.bytes;
  }
  free_at_ = now + cycles * period_;
  last_completion_ = free_at_ + access_time_;
  return last_completion_;
}

}  // namespace teslasim
