// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/memory_system.h"

#include <algorithm>

#include "sim/base/clock_time.h"

namespace teslasim::testing {

namespace {
constexpr Address memory_bytes = 65536;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
  return hash;
}
}  // namespace

TrafficSm::TrafficSm(const sc_core::sc_module_name& name, const MemoryPath& path, unsigned sm)
    : sc_module(name), path_(path), sm_(sm), credits_(path.places.tpc_requests) {}

void TrafficSm::begin(std::vector<TrafficItem> items) {
  items_ = std::move(items);
  accesses.assign(items_.size(), {});
  answers.clear();
  sent.clear();
  credits_.reset();
  next_ = reads_ = 0;
  for (const TrafficItem& item : items_) reads_ += item.write ? 0 : 1;
}

Femtoseconds TrafficSm::send(Femtoseconds now) {
  if (next_ == items_.size()) return never;
  if (!credits_.available(now)) return credits_.next_return();
  credits_.take();
  const TrafficItem& item = items_[next_];
  MemoryAccess& access = accesses[next_];
  access.kind = item.write ? MemoryAccess::Kind::store : MemoryAccess::Kind::load;
  access.bytes = 4;
  access.lanes = 1;
  access.address[0] = item.address;
  access.data[0][0] = static_cast<std::uint32_t>(sm_ * 1000 + next_ + 1);
  MemoryTransaction transaction;
  transaction.when = now + path_.latency.sm_to_tpc;
  transaction.access = &access;
  transaction.lanes = 1;
  transaction.address = item.address;
  transaction.bytes = item.bytes;
  transaction.sm = static_cast<std::uint16_t>(sm_);
  transaction.tag = static_cast<std::uint16_t>(next_);
  transaction.write = item.write;
  transaction.response = !item.write;
  sent.push_back(now);
  ++next_;
  memory->receive(sm_ % path_.plan.sms_per_tpc, transaction);
  return next_ == items_.size() ? never : now + 1;
}

Femtoseconds TrafficSm::advance(Femtoseconds now, Femtoseconds horizon) {
  for (;;) {
    const Femtoseconds next = send(now);
    if (next >= horizon) return next;
    now = std::max(edge_at_or_after(next, clk->period()), now + clk->period());
    if (now >= horizon) return now;
  }
}

void TrafficSm::receive(unsigned, const MemoryTransaction& transaction) {
  answers.push_back({transaction.when, transaction.tag});
  clk.wake(transaction.when);
}

void TrafficSm::credit(unsigned, Femtoseconds when) {
  credits_.give_back(when);
  clk.wake(when);
}

void TrafficSm::describe_pending(std::vector<std::string>& lines) const {
  if (!done()) lines.push_back(std::to_string(reads_ - answers.size()) + " answers to come");
}

MemorySystem::MemorySystem(const MemorySystemSpec& system, const MemorySystemOptions& options)
    : spec(system), path(system.plan, system.tpc, system.noc, system.dram, {}, system.tlb) {
  memory.allocate("all", "u32", memory_bytes);
  sm_clock = std::make_unique<ClockDomain>("sm_clock", spec.sm_period, options.sleeping);
  core_clock = std::make_unique<ClockDomain>("core_clock", spec.plan.core_period, options.sleeping);
  memory_clock = std::make_unique<ClockDomain>("memory_clock", spec.plan.memory_period, options.sleeping);
  sms.resize(std::size_t{spec.plan.tpcs} * spec.plan.sms_per_tpc);
  tpcs.resize(spec.plan.tpcs);
  partitions.resize(path.partitions());
  std::vector<std::function<void()>> steps;
  steps.emplace_back([this] { crossbar = std::make_unique<CrossbarModule>("crossbar", path); });
  steps.emplace_back([this] { management = std::make_unique<MemoryManagementModule>("mmu", path); });
  for (unsigned tpc = 0; tpc < path.plan.tpcs; ++tpc) steps.emplace_back([this, tpc] { build_tpc(tpc); });
  for (unsigned i = 0; i < path.partitions(); ++i) steps.emplace_back([this, i] { build_partition(i); });
  std::shuffle(steps.begin(), steps.end(), std::mt19937(options.construction_seed));
  for (const auto& step : steps) step();
  std::vector<std::unique_ptr<Region>> no_regions;
  Cabling cabling(no_regions);  // lays no wires within one region
  crossbar->clk(*core_clock);
  management->clk(*core_clock);
  wire(*management, path.plan.tpcs, *crossbar);
  for (unsigned tpc = 0; tpc < path.plan.tpcs; ++tpc) {
    wire(*tpcs[tpc], tpc, *crossbar, cabling, {});
    wire(*tpcs[tpc], tpc, *management, cabling, {});
  }
  for (unsigned i = 0; i < path.partitions(); ++i) wire(*partitions[i], i, *crossbar, cabling, {});
  island = std::make_unique<Island>(
      "island", *sm_clock, std::vector<ClockDomain*>{core_clock.get(), memory_clock.get()}, options.look_ahead);
}

void MemorySystem::build_tpc(unsigned tpc) {
  const std::string name = "tpc" + std::to_string(tpc);
  const unsigned first = tpc * path.plan.sms_per_tpc;
  tpcs[tpc] = std::make_unique<TpcModule>(name.c_str(), path, tpc, [&](unsigned j) {
    sms[first + j] = std::make_unique<TrafficSm>(("sm" + std::to_string(j)).c_str(), path, first + j);
  });
  tpcs[tpc]->clk(*core_clock);
  for (unsigned j = 0; j < path.plan.sms_per_tpc; ++j) {
    TrafficSm& sm = *sms[first + j];
    sm.clk(*sm_clock);
    sm.memory(tpcs[tpc]->requests);
    tpcs[tpc]->to_sm[j](sm);
    tpcs[tpc]->credit_to_sm[j](sm);
  }
}

void MemorySystem::build_partition(unsigned partition) {
  const std::string name = "partition" + std::to_string(partition);
  partitions[partition] = std::make_unique<PartitionModule>(name.c_str(), path, partition);
  partitions[partition]->clk(*memory_clock);
}

RunResult MemorySystem::run(const std::vector<std::vector<TrafficItem>>& items) {
  Simulation::begin_launch(*island);
  crossbar->begin_launch();
  management->begin_launch();
  for (auto& tpc : tpcs) tpc->begin_launch(&memory);
  for (auto& partition : partitions) partition->begin_launch(memory, nullptr);
  for (std::size_t sm = 0; sm < sms.size(); ++sm)
    sms[sm]->begin(sm < items.size() ? items[sm] : std::vector<TrafficItem>{});
  RunRequest request;
  request.work_left = [this] {
    return !std::all_of(sms.begin(), sms.end(), [](const auto& sm) { return sm->done(); });
  };
  return Simulation::run(*island, request);
}

std::uint64_t MemorySystem::digest() const {
  std::uint64_t hash = 0;
  for (const auto& sm : sms) {
    for (const auto& answer : sm->answers) hash = mix(mix(hash, answer.when.count()), answer.tag);
    for (const Femtoseconds when : sm->sent) hash = mix(hash, when.count());
    for (const MemoryAccess& access : sm->accesses) hash = mix(hash, access.data[0][0]);
  }
  for (const auto& partition : partitions) {
    hash = mix(mix(hash, partition->core().last_completion().count()), partition->core().statistics().busy_cycles);
  }
  for (const Buffer& buffer : memory.buffers()) {
    for (std::uint64_t i = 0; i < buffer.bytes; ++i) {
      const std::byte value = *memory.at(static_cast<Address>(buffer.address + i));
      if (value != std::byte{0}) hash = mix(hash, i << 8U | std::to_integer<std::uint64_t>(value));
    }
  }
  return hash;
}

std::vector<std::vector<TrafficItem>> random_traffic(unsigned sms, unsigned items, std::uint32_t seed) {
  std::mt19937 random(seed);
  constexpr Address first = 4096;
  std::vector<std::vector<TrafficItem>> all(sms);
  for (auto& list : all) {
    for (unsigned i = 0; i < items; ++i) {
      const auto bytes = static_cast<std::uint16_t>(32U << random() % 3);
      const auto address = static_cast<Address>(first + random() % (memory_bytes / 2)) & ~Address{bytes - 1U};
      list.push_back({address, bytes, random() % 3 == 0});
    }
  }
  return all;
}

}  // namespace teslasim::testing
