// SPDX-License-Identifier: Apache-2.0
// Second-level TLB and page walks at the crossbar.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/cache/mshr_table.h"
#include "memory/cache/tag_array.h"
#include "memory/memory_path.h"
#include "memory/transaction.h"
#include "memory/translation/translation.h"
#include "sim/base/inbox.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/ring.h"

namespace teslasim {

/// Stands for what the first-level TLBs of all TPCs share: one look-up in the second-level TLB per core cycle, round
/// robin over the TPCs; for a miss, a walk: the entry of the page table is read through the crossbar like any
/// other data. Misses on one page share a walk; at most `tlb.walks` are under way. (Collange 2010,
/// section 10.3: translation at the interconnect, two levels seen in the latencies.) Not modelled: the upper levels of
/// the page table (held in registers), physical placement (address = virtual address), the third structure that
/// Collange suspects behind the second level. Calls come at the edges of the core clock. receive_* and credit return
/// the time at which the unit wants to work because of the message, or `never`.
class MemoryManagementUnit {
 public:
  static constexpr unsigned entry_read_bytes = 32;

  explicit MemoryManagementUnit(const MemoryPath& path);
  /// `crossbar`: the request network. `tpcs`: get translations with port 0.
  void connect(TransactionReceiver& crossbar, std::vector<TranslationReceiver*> tpcs);
  void reset();

  Femtoseconds receive_request(unsigned tpc, const Translation& translation);
  /// An entry of the page table has come. `port` is 0.
  Femtoseconds receive_response(unsigned port, const MemoryTransaction& transaction);
  /// The crossbar's queue for `partition` has a place again from `when` on.
  Femtoseconds credit(unsigned partition, Femtoseconds when);
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] bool idle() const;
  void describe_pending(std::vector<std::string>& lines) const;
  /// The second-level TLB.
  [[nodiscard]] const TagArray& tlb() const { return tags_; }
  [[nodiscard]] std::uint64_t look_ups() const { return look_ups_; }
  [[nodiscard]] std::uint64_t walks() const { return walks_; }

 private:
  void take_entries(Femtoseconds now);
  void look_up(Femtoseconds now);
  bool serve(unsigned tpc, Femtoseconds now);
  void send_walk(Femtoseconds now);
  void answer(unsigned tpc, Address page, Femtoseconds now);

  const MemoryPath& path_;
  unsigned page_bytes_;
  TagArray tags_;
  MshrTable<std::uint8_t> under_way_;         ///< TPCs that wait for a walk, by page
  std::vector<Inbox<Translation>> requests_;  ///< per TPC
  unsigned turn_ = 0;
  Ring<Address> to_walk_{16};  ///< pages whose read waits for room in the crossbar
  std::vector<Credits> room_;  ///< per partition
  Inbox<MemoryTransaction> entries_;
  std::vector<unsigned> crossbar_port_;
  TransactionReceiver* crossbar_ = nullptr;
  std::vector<TranslationReceiver*> tpcs_;
  std::vector<Femtoseconds> last_answer_;  ///< per TPC
  std::uint64_t look_ups_ = 0, walks_ = 0;
};

}  // namespace teslasim
