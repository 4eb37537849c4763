// SPDX-License-Identifier: Apache-2.0
// The texture unit of a TPC with its first-level caches.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/cache/mshr_table.h"
#include "memory/cache/tag_array.h"
#include "memory/memory_path.h"
#include "memory/tpc/texture_segments.h"
#include "memory/transaction.h"
#include "sim/base/inbox.h"
#include "sim/base/launch_statistics.h"

namespace teslasim {

class DeviceMemory;

/// Stands for the texture unit that the SMs of a TPC share: address generators, first-level cache, filters (Lindholm et
/// al. 2008; Collange 2010, section 10.2). A request is half a warp. The address stage takes one at a time: its lanes
/// in groups of four, `address_units` lanes per core cycle, and `lines_per_cycle` different lines per core cycle in the
/// cache. Each SM has a fixed share of the cache, which works as a cache of its own, with virtual addresses; images
/// that are linear in memory can use `linear_ways` of the ways. A miss asks the second level, in the partition that
/// owns the address; SMs that miss on a line while it is under way share it. Requests then wait in one queue, in order:
/// the filter takes the oldest when its last texel is there, `filter_units` bilinear samples per core cycle, so that a
/// hit behind a miss waits (Lindholm et al., US patent 7456835; Collange 2010, section 10.5). Texels are read
/// when the filter takes the request, so that earlier stores of the kernel to the image are seen; the programming
/// guide leaves this open. Not modelled: cost of wide formats, anisotropy, mipmap levels; a hit on a line under
/// way waits like the miss before it. Times are femtoseconds; calls come at the edges of the core clock. Allocates only
/// when constructed.
class TextureUnit {
 public:
  explicit TextureUnit(const MemoryPath& path);
  /// `memory` may be null: then no texels are read (tests of timing alone).
  void begin_launch(const DeviceMemory* memory);

  /// Whether there is room for a request at `now`; if not, `free_from` says when there will be.
  [[nodiscard]] bool accepts(Femtoseconds now) const { return free_from() <= now; }
  /// When the next request can be taken: `never` as long as that depends on lines that are under way or on the queue.
  [[nodiscard]] Femtoseconds free_from() const { return looking_up_ || full() ? never : address_free_; }
  /// Takes a request of the TPC's SM `sm`. Precondition: accepts(now).
  void start(const MemoryTransaction& request, unsigned sm, Femtoseconds now);
  /// Looks up and filters. Returns when it next wants to, apart from misses and replies.
  Femtoseconds work(Femtoseconds now);

  /// Requests for lines, oldest first; `when` is when they may leave the TPC.
  [[nodiscard]] const Inbox<MemoryTransaction>& misses() const { return misses_; }
  [[nodiscard]] Inbox<MemoryTransaction>& misses() { return misses_; }
  void pop_miss();
  /// A line has come, as `line` was sent by misses().
  void fill(const MemoryTransaction& line, Femtoseconds now);

  /// Replies in the order of the requests; `when` is when they may leave for their SM.
  [[nodiscard]] const Inbox<MemoryTransaction>& replies() const { return replies_; }
  void pop_reply() { replies_.pop(); }

  /// False: it holds nothing, and work() would change nothing.
  [[nodiscard]] bool busy() const { return head_ != tail_ || !replies_.empty(); }
  [[nodiscard]] TextureStatistics statistics() const;
  /// Share of the TPC's SM `sm`; lines that come are counted for the unit only.
  [[nodiscard]] const CacheStatistics& cache_statistics(unsigned sm) const { return shares_[sm].counted; }
  /// Tags of that share.
  [[nodiscard]] const TagArray& cache(unsigned sm) const { return shares_[sm].tags; }
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  struct Share {
    TagArray tags;
    CacheStatistics counted;
  };
  struct Waiter {
    std::uint32_t number = 0;  ///< of the request
    std::uint32_t sm = 0;
  };
  struct Entry {
    MemoryTransaction request;
    Femtoseconds ready = never;  ///< all texels are there
    std::uint16_t missing = 0;   ///< lines under way
    std::uint16_t filter_cycles = 1;
    bool looked_up = false;
  };

  [[nodiscard]] Entry& entry(std::uint32_t number) { return queue_[number & (queue_.size() - 1)]; }
  [[nodiscard]] bool full() const { return tail_ - head_ + replies_.size() >= places_; }
  void look_up(Femtoseconds now);
  /// False: no place for another line under way.
  bool look_up_line(Address line, Femtoseconds now);
  void filter(Femtoseconds now);

  const MemoryPath& path_;
  const DeviceMemory* memory_ = nullptr;
  Femtoseconds period_, address_latency_, filter_latency_;
  std::uint32_t places_;
  std::vector<Share> shares_;  ///< per SM of the TPC
  MshrTable<Waiter> under_way_;
  std::vector<Entry> queue_;
  std::uint32_t head_ = 0, tail_ = 0;  ///< numbers of the oldest request and of the next

  // The address stage: the request looking up is the youngest of the queue.
  std::array<CoalescedTransaction, max_texture_segments> lines_;
  unsigned line_count_ = 0, next_line_ = 0;
  unsigned sm_ = 0;                ///< in the TPC, of the request looking up
  std::uint16_t usable_ways_ = 1;  ///< of its cache, for its image
  bool looking_up_ = false;
  bool stuck_ = false;  ///< until a line comes
  Femtoseconds look_up_at_ = 0;
  Femtoseconds address_free_ = 0;

  Femtoseconds filter_free_ = 0;
  Inbox<MemoryTransaction> misses_;
  Inbox<MemoryTransaction> replies_;
  TextureStatistics counted_;
};

}  // namespace teslasim
