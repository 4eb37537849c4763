// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/sm_signals.h"

#include <array>
#include <cstdint>

namespace teslasim {
namespace {

constexpr unsigned flag = 1, small = 8, counter = 32, mask = 32;

bool issued_in(const Sm& sm, std::uint64_t now) {
  return sm.accounting().last_issue_end() == now + 1;
}

std::uint64_t chosen_warp(const Sm& sm, std::uint64_t now) {
  return issued_in(sm, now) ? sm.issue().scheduler().chosen() : unknown_value;
}

std::uint64_t issued_address(const Sm& sm, std::uint64_t now) {
  return issued_in(sm, now) ? sm.blocks().last_pc(sm.issue().scheduler().chosen()) : unknown_value;
}

constexpr std::array sm_rows{
    Signal<Sm>{
        "slot", small,
        [](const Sm& sm, std::uint64_t now) { return static_cast<std::uint64_t>(sm.accounting().slot_in(now)); }},
    Signal<Sm>{"warp", small, chosen_warp},
    Signal<Sm>{"pc", counter, issued_address},
};

constexpr std::array block_rows{
    Signal<BlockSlots>{"resident", small,
                       [](const BlockSlots& slots, std::uint64_t) { return std::uint64_t{slots.resident()}; }},
    Signal<BlockSlots>{"barriers", counter, [](const BlockSlots& slots, std::uint64_t) { return slots.barriers(); }},
};

constexpr std::array front_end_rows{
    Signal<FrontEnd>{"instructions", small,
                     [](const FrontEnd& front_end, std::uint64_t) { return std::uint64_t{front_end.held()}; }},
};

constexpr std::array fetch_rows{
    Signal<FetchUnit>{"lines_under_way", small,
                      [](const FetchUnit& fetch, std::uint64_t) { return std::uint64_t{fetch.lines_under_way()}; }},
    Signal<FetchUnit>{"hits", counter, [](const FetchUnit& fetch, std::uint64_t) { return fetch.statistics().hits; }},
    Signal<FetchUnit>{"misses", counter,
                      [](const FetchUnit& fetch, std::uint64_t) { return fetch.statistics().misses; }},
};

constexpr std::array issue_rows{
    Signal<IssueStage>{"ready_warps", mask,
                       [](const IssueStage& issue, std::uint64_t) { return std::uint64_t{issue.ready()}; }},
};

constexpr std::array scheduler_rows{
    Signal<WarpScheduler>{
        "chosen", small,
        [](const WarpScheduler& scheduler, std::uint64_t) { return std::uint64_t{scheduler.chosen()}; }},
};

constexpr std::array scoreboard_rows{
    Signal<Scoreboard>{"pending_warps", mask,
                       [](const Scoreboard& scoreboard, std::uint64_t) { return std::uint64_t{scoreboard.pending()}; }},
};

constexpr std::array register_rows{
    Signal<RegisterFile>{"banks_reading", small,
                         [](const RegisterFile& file, std::uint64_t now) { return std::uint64_t{file.reading(now)}; }},
    Signal<RegisterFile>{"read_conflict_cycles", counter,
                         [](const RegisterFile& file, std::uint64_t) { return file.read_conflict_cycles().count(); }},
    Signal<RegisterFile>{"write_conflict_cycles", counter,
                         [](const RegisterFile& file, std::uint64_t) { return file.write_conflict_cycles().count(); }},
};

constexpr std::array unit_rows{
    Signal<FunctionalUnit>{
        "busy", flag,
        [](const FunctionalUnit& unit, std::uint64_t now) { return std::uint64_t{unit.account().busy_until() > now}; }},
    Signal<FunctionalUnit>{"busy_cycles", counter,
                           [](const FunctionalUnit& unit, std::uint64_t) { return unit.busy_cycles().count(); }},
};

constexpr std::array collector_rows{
    Signal<OperandCollectors>{
        "taken", small,
        [](const OperandCollectors& collectors, std::uint64_t now) { return std::uint64_t{collectors.taken(now)}; }},
};

constexpr std::array shared_rows{
    Signal<SharedMemory>{"accesses", counter,
                         [](const SharedMemory& memory, std::uint64_t) { return memory.accesses(); }},
};

constexpr std::array bank_rows{
    Signal<SharedMemoryBanks>{"words_served", counter,
                              [](const SharedMemoryBanks& banks, std::uint64_t) { return banks.served(); }},
};

constexpr std::array constant_port_rows{
    Signal<ConstantPort>{"accesses", counter, [](const ConstantPort& port, std::uint64_t) { return port.accesses(); }},
};

constexpr std::array constant_cache_rows{
    Signal<ConstantCache>{
        "lines_under_way", small,
        [](const ConstantCache& cache, std::uint64_t) { return std::uint64_t{cache.lines_under_way()}; }},
    Signal<ConstantCache>{"hits", counter,
                          [](const ConstantCache& cache, std::uint64_t) { return cache.statistics().hits; }},
    Signal<ConstantCache>{"misses", counter,
                          [](const ConstantCache& cache, std::uint64_t) { return cache.statistics().misses; }},
};

constexpr std::array load_store_rows{
    Signal<LoadStoreUnit>{"outstanding", counter,
                          [](const LoadStoreUnit& unit, std::uint64_t) { return std::uint64_t{unit.outstanding()}; }},
    Signal<LoadStoreUnit>{"backlog", counter,
                          [](const LoadStoreUnit& unit, std::uint64_t) { return std::uint64_t{unit.backlog()}; }},
    Signal<LoadStoreUnit>{"held", flag,
                          [](const LoadStoreUnit& unit, std::uint64_t) { return std::uint64_t{unit.hold().held()}; }},
    Signal<LoadStoreUnit>{"returned", counter,
                          [](const LoadStoreUnit& unit, std::uint64_t) { return unit.loads_returned(); }},
};

constexpr std::array coalescing_rows{
    Signal<LoadStoreUnit>{
        "transactions", counter,
        [](const LoadStoreUnit& unit, std::uint64_t) { return unit.loads_sent() + unit.stores_sent(); }},
};

constexpr std::array write_back_rows{
    Signal<WriteBack>{"results", counter,
                      [](const WriteBack& write_back, std::uint64_t) { return write_back.written(); }},
};

}  // namespace

std::span<const Signal<Sm>> signals_of(const Sm&) {
  return sm_rows;
}
std::span<const Signal<BlockSlots>> signals_of(const BlockSlots&) {
  return block_rows;
}
std::span<const Signal<FrontEnd>> signals_of(const FrontEnd&) {
  return front_end_rows;
}
std::span<const Signal<FetchUnit>> signals_of(const FetchUnit&) {
  return fetch_rows;
}
std::span<const Signal<IssueStage>> signals_of(const IssueStage&) {
  return issue_rows;
}
std::span<const Signal<WarpScheduler>> signals_of(const WarpScheduler&) {
  return scheduler_rows;
}
std::span<const Signal<Scoreboard>> signals_of(const Scoreboard&) {
  return scoreboard_rows;
}
std::span<const Signal<RegisterFile>> signals_of(const RegisterFile&) {
  return register_rows;
}
std::span<const Signal<FunctionalUnit>> signals_of(const FunctionalUnit&) {
  return unit_rows;
}
std::span<const Signal<OperandCollectors>> signals_of(const OperandCollectors&) {
  return collector_rows;
}
std::span<const Signal<SharedMemory>> signals_of(const SharedMemory&) {
  return shared_rows;
}
std::span<const Signal<SharedMemoryBanks>> signals_of(const SharedMemoryBanks&) {
  return bank_rows;
}
std::span<const Signal<ConstantPort>> signals_of(const ConstantPort&) {
  return constant_port_rows;
}
std::span<const Signal<ConstantCache>> signals_of(const ConstantCache&) {
  return constant_cache_rows;
}
std::span<const Signal<LoadStoreUnit>> signals_of(const LoadStoreUnit&) {
  return load_store_rows;
}
std::span<const Signal<CoalescingRules>> signals_of(const CoalescingRules&) {
  return {};
}
std::span<const Signal<LoadStoreUnit>> coalescer_signals() {
  return coalescing_rows;
}
std::span<const Signal<WriteBack>> signals_of(const WriteBack&) {
  return write_back_rows;
}

}  // namespace teslasim
