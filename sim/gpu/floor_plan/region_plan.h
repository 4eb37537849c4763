// SPDX-License-Identifier: Apache-2.0
// Which box of the floor plan lies in which region, and the wires between regions.
#pragma once

#include <algorithm>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "sim/engine/region.h"
#include "sim/gpu/floor_plan/block_links.h"
#include "sim/gpu/floor_plan/line_links.h"
#include "sim/gpu/floor_plan/memory_links.h"

namespace teslasim {

/// TPCs with their SMs make two regions for each thread, so that there is something left for the one that is done
/// first; what all share (block scheduler, crossbar, memory management unit, third-level cache) is one. Partitions,
/// each of which has much less to do, make one for each thread. On one thread everything is one region.
class RegionPlan {
 public:
  RegionPlan(unsigned tpcs, unsigned partitions, unsigned threads) : tpcs_(tpcs), partitions_(partitions) {
    if (threads <= 1) return;
    partition_regions_ = std::min({partitions, threads, most_partition_regions});
    tpc_regions_ = std::min({tpcs, tpc_regions_per_thread * threads, Region::most - 1 - partition_regions_});
  }
  [[nodiscard]] bool several() const { return tpc_regions_ != 0; }
  [[nodiscard]] unsigned count() const { return tpc_regions_ + 1 + partition_regions_; }
  /// The first regions have the larger shares: threads take regions in turns, so none gets all of those.
  [[nodiscard]] unsigned of_tpc(unsigned tpc) const {
    if (!several()) return 0;
    const unsigned share = tpcs_ / tpc_regions_, larger = tpcs_ % tpc_regions_, in_larger = larger * (share + 1);
    return tpc < in_larger ? tpc / (share + 1) : larger + (tpc - in_larger) / share;
  }
  [[nodiscard]] unsigned of_shared() const { return tpc_regions_; }
  [[nodiscard]] unsigned of_partition(unsigned partition) const {
    return several() ? tpc_regions_ + 1 + partition * partition_regions_ / partitions_ : 0;
  }
  /// Regions with TPCs are the first ones.
  [[nodiscard]] unsigned with_tpcs() const { return std::max(1U, tpc_regions_); }

 private:
  static constexpr unsigned tpc_regions_per_thread = 2;
  static constexpr unsigned most_partition_regions = 16;
  unsigned tpcs_, partitions_;
  unsigned tpc_regions_ = 0, partition_regions_ = 0;  ///< 0: one region in all
};

/// What is sent through a wire to another region goes by mail.
class TransactionWire final : public TransactionInterface {
 public:
  TransactionWire(Outbox& outbox, TransactionInterface& to) : outbox_(outbox), to_(to) {}
  void receive(unsigned port, const MemoryTransaction& transaction) override {
    outbox_.post_in_place<Arrival>(transaction.when, &to_, port, transaction);
  }

 private:
  struct Arrival {
    void operator()() const { to->receive(port, transaction); }
    TransactionInterface* to;
    unsigned port;
    MemoryTransaction transaction;
  };
  Outbox& outbox_;
  TransactionInterface& to_;
};

class CreditWire final : public CreditInterface {
 public:
  CreditWire(Outbox& outbox, CreditInterface& to) : outbox_(outbox), to_(to) {}
  void credit(unsigned port, Femtoseconds when) override {
    outbox_.post(when, [to = &to_, port, when] { to->credit(port, when); });
  }

 private:
  Outbox& outbox_;
  CreditInterface& to_;
};

class TranslationWire final : public TranslationInterface {
 public:
  TranslationWire(Outbox& outbox, TranslationInterface& to) : outbox_(outbox), to_(to) {}
  void translate(unsigned port, const Translation& translation) override {
    outbox_.post(translation.when, [to = &to_, port, translation] { to->translate(port, translation); });
  }

 private:
  Outbox& outbox_;
  TranslationInterface& to_;
};

class LineWire final : public LineInterface {
 public:
  LineWire(Outbox& outbox, LineInterface& to) : outbox_(outbox), to_(to) {}
  void receive_line(unsigned port, const LineRequest& line) override {
    outbox_.post(line.when, [to = &to_, port, line] { to->receive_line(port, line); });
  }

 private:
  Outbox& outbox_;
  LineInterface& to_;
};

class BlockWire final : public BlockInterface {
 public:
  BlockWire(Outbox& outbox, BlockInterface& to) : outbox_(outbox), to_(to) {}
  void receive_block(SmIndex sm, Femtoseconds when, BlockIndex block, SmCycle clock_stopped) override {
    outbox_.post(when,
                 [to = &to_, sm, when, block, clock_stopped] { to->receive_block(sm, when, block, clock_stopped); });
  }
  void receive_end_of_grid(SmIndex sm) override {
    outbox_.post(never, [to = &to_, sm] { to->receive_end_of_grid(sm); });
  }

 private:
  Outbox& outbox_;
  BlockInterface& to_;
};

class BlockCompletionWire final : public BlockCompletionInterface {
 public:
  BlockCompletionWire(Outbox& outbox, BlockCompletionInterface& to) : outbox_(outbox), to_(to) {}
  void block_completed(SmIndex sm, BlockIndex block, Femtoseconds when) override {
    outbox_.post(when, [to = &to_, sm, block, when] { to->block_completed(sm, block, when); });
  }
  void block_released(SmIndex sm, Femtoseconds when) override {
    outbox_.post(when, [to = &to_, sm, when] { to->block_released(sm, when); });
  }

 private:
  Outbox& outbox_;
  BlockCompletionInterface& to_;
};

/// Stores that took effect, on their way from a partition to the SM that sent them: its records are free again.
class CompletionWire final : public CompletionReceiver {
 public:
  /// `outboxes`: by SM.
  CompletionWire(std::vector<Outbox*> outboxes, CompletionReceiver& to) : outboxes_(std::move(outboxes)), to_(to) {}
  void completed(const MemoryTransaction& transaction) override {
    outboxes_[transaction.sm]->post(never, [to = &to_, transaction] { to->completed(transaction); });
  }

 private:
  std::vector<Outbox*> outboxes_;
  CompletionReceiver& to_;
};

/// From which region to which a wire leads.
struct RegionRoute {
  unsigned from = 0, to = 0;
};

/// Lays wires: within a region the receiver itself, else by mail.
class Cabling {
 public:
  explicit Cabling(std::vector<std::unique_ptr<Region>>& regions) : regions_(regions) {}

  TransactionInterface& lay(RegionRoute route, TransactionInterface& to) {
    return lay_wire<TransactionWire>(route, to);
  }
  CreditInterface& lay(RegionRoute route, CreditInterface& to) { return lay_wire<CreditWire>(route, to); }
  TranslationInterface& lay(RegionRoute route, TranslationInterface& to) {
    return lay_wire<TranslationWire>(route, to);
  }
  LineInterface& lay(RegionRoute route, LineInterface& to) { return lay_wire<LineWire>(route, to); }
  BlockInterface& lay(RegionRoute route, BlockInterface& to) { return lay_wire<BlockWire>(route, to); }
  BlockCompletionInterface& lay(RegionRoute route, BlockCompletionInterface& to) {
    return lay_wire<BlockCompletionWire>(route, to);
  }
  [[nodiscard]] Outbox& outbox(RegionRoute route) { return regions_[route.from]->outbox_to(*regions_[route.to]); }

 private:
  template <typename Wire, typename Interface>
  Interface& lay_wire(RegionRoute route, Interface& to) {
    if (route.from == route.to) return to;
    auto wire = std::make_unique<Wire>(outbox(route), to);
    Interface& laid = *wire;
    wires_.push_back(std::move(wire));
    return laid;
  }

  std::vector<std::unique_ptr<Region>>& regions_;
  std::vector<std::unique_ptr<sc_core::sc_interface>> wires_;
};

}  // namespace teslasim
