// SPDX-License-Identifier: Apache-2.0
// Everything that is counted during one launch: plain integers, filled by the timing or the functional model, read by
// reports, the digest and the conservation checks. Each structure has a table of its members, see statistic_field.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/interval_statistics.h"
#include "sim/base/latency_histogram.h"
#include "sim/base/memory_statistics.h"
#include "sim/base/profiler_counters.h"
#include "sim/base/slot_reason.h"
#include "sim/base/statistic_field.h"
#include "sim/base/types.h"
#include "sim/base/warp_times.h"

namespace teslasim {

/// Conflict degrees 1..16 of one access group (half-warp), the last also for more; index 0 is unused.
using DegreeHistogram = std::array<std::uint64_t, 17>;

/// "1" to "16"; 0 is not printed.
[[nodiscard]] std::string name_of_degree(std::size_t degree);

/// Accesses to an on-chip memory that serves one access group per pass.
struct OnChipStatistics {
  std::uint64_t accesses = 0;  ///< access groups (half-warps) with at least one active lane
  std::uint64_t replays = 0;   ///< sum over accesses of (degree - 1)
  DegreeHistogram degree{};    ///< number of accesses of each degree
  std::uint64_t retries = 0;   ///< instructions issued once more because a line was missing
  OnChipStatistics& operator+=(const OnChipStatistics& other);
  friend bool operator==(const OnChipStatistics&, const OnChipStatistics&) = default;

  static constexpr auto fields(const auto& visit) {
    return visit(
        statistic("accesses", &OnChipStatistics::accesses, "half-warps", "launch",
                  "half-warps (groups of sm.shared.access_group lanes) that accessed this memory"),
        statistic("replays", &OnChipStatistics::replays, "passes", "launch",
                  "further passes because of bank conflicts or of different constant words")
            .with_formula("sum of (degree - 1)"),
        statistic(
            "degree_hist/*", &OnChipStatistics::degree, name_of_degree, "half-warps", "launch",
            "accesses of half-warps (groups) that took this many passes, 16 or more in the last: a pass over shared "
            "memory serves one word to all lanes that want it, and a lane in every other bank; one over constants "
            "a word"),
        statistic("retries", &OnChipStatistics::retries, "instructions", "launch",
                  "warp instructions issued once more because a line of the cache was missing"));
  }
};

/// How often each bank of shared memory served a word, all passes together: how evenly they are used.
struct BankAccesses {
  static constexpr unsigned most_banks = 64;
  unsigned banks = 0;                            ///< of the machine; 0: not counted
  std::uint64_t all = 0;                         ///< passes that used every bank
  std::array<std::uint64_t, most_banks> some{};  ///< by bank, in the other passes

  /// A pass in which the banks of the mask served a word each.
  void add(std::uint64_t mask) {
    if (mask == every_bank()) {
      ++all;
      return;
    }
    for (; mask != 0; mask &= mask - 1) ++some[static_cast<std::size_t>(std::countr_zero(mask))];
  }
  /// So many passes in which only `bank`, of several, served a word.
  void add_passes(unsigned bank, std::uint64_t passes) { some[bank] += passes; }
  [[nodiscard]] std::uint64_t of(unsigned bank) const { return all + some[bank]; }
  BankAccesses& operator+=(const BankAccesses& other);

  static constexpr auto fields(const auto& visit) {
    return visit(unprinted(&BankAccesses::banks).with(StatisticSum::greatest), unprinted(&BankAccesses::all),
                 unprinted(&BankAccesses::some));
  }

 private:
  [[nodiscard]] std::uint64_t every_bank() const {
    return banks >= most_banks ? ~std::uint64_t{0} : (std::uint64_t{1} << banks) - 1;
  }
};

/// One block on its SM, from its arrival to the first cycle without it. SM cycles of the launch.
struct BlockTimes {
  static constexpr SmCycle unfinished = never;
  std::uint32_t block = 0;
  std::uint32_t slot = 0;
  SmCycle begin = 0;
  SmCycle end = unfinished;
};

/// One instruction address. Slots that no instruction ended (tail, start) are not here. What every issue counts lies in
/// the first line of the host's cache.
struct alignas(64) PcStatistics {
  std::uint64_t warp_issues = 0;
  std::uint64_t thread_issues = 0;  ///< lanes that passed the guard
  std::uint64_t null_issues = 0;    ///< all lanes predicated off
  std::uint64_t divergent = 0;      ///< executions of a branch that split the warp
  LatencyHistogram latency;         ///< SM cycles from the first pass to the results written; empty without results
  PerReason<> slots;                ///< view A, causal: charged to the instruction whose issue ended the wait
  CoalescingStatistics memory;
  OnChipStatistics shared;
  OnChipStatistics constant;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> blamed;  ///< producer pc, slots; most first after finalising

  static constexpr auto fields(const auto& visit) {
    return visit(unprinted(&PcStatistics::warp_issues), unprinted(&PcStatistics::thread_issues),
                 unprinted(&PcStatistics::null_issues), unprinted(&PcStatistics::slots),
                 unprinted(&PcStatistics::divergent), statistic_part("", &PcStatistics::memory),
                 statistic_part("", &PcStatistics::shared), statistic_part("", &PcStatistics::constant),
                 unprinted(&PcStatistics::latency), unprinted(&PcStatistics::blamed));
  }
};

/// Printed in view A, or empty: "mem.global". As a state of warps, view B, or empty: "wait.mem.global".
[[nodiscard]] std::string name_of_slot(std::size_t reason);
[[nodiscard]] std::string name_of_warp_state(std::size_t reason);

struct SmStatistics {
  PerReason<> slots;             ///< view A
  PerReason<> warp_cycles;       ///< view B
  PerReason<> slots_without_pc;  ///< part of `slots` that no instruction ended (no resident warp, end of the kernel)
  std::uint64_t resident_warp_cycles = 0;  ///< counted on its own, for the check of view B
  std::uint64_t issue_events = 0;          ///< first passes + replays, counted on its own
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t blocks = 0;
  BankAccesses banks;
  static constexpr std::size_t most_block_times = 2048;
  std::vector<BlockTimes> block_times;  ///< the first blocks, in the order of arrival; not part of the digest
  WarpRecords warps;                    ///< not part of the digest: the same counts as above, by warp

  static constexpr auto fields(const auto& visit) {
    return visit(
        statistic("blocks", &SmStatistics::blocks, "blocks", "SM", "blocks that this SM ran"),
        statistic("instructions/warp", &SmStatistics::warp_instructions, "instructions", "SM",
                  "warp instructions issued by this SM"),
        statistic("instructions/thread", &SmStatistics::thread_instructions, "instructions", "SM",
                  "lanes that passed the guard on this SM"),
        statistic("resident_warp_cycles", &SmStatistics::resident_warp_cycles, "warp cycles", "SM",
                  "resident warps summed over SM cycles, counted apart to check warp_cycles"),
        statistic("issue_slots/*", &SmStatistics::slots, name_of_slot, "slots", "SM",
                  "issue slots of this SM charged to this reason"),
        statistic("warp_cycles/*", &SmStatistics::warp_cycles, name_of_warp_state, "warp cycles", "SM",
                  "warp cycles of this SM spent in this state"),
        unprinted(&SmStatistics::slots_without_pc), unprinted(&SmStatistics::issue_events),
        unprinted(&SmStatistics::banks).outside_digest(),  // the degrees of conflicts tell of the same passes
        unprinted(&SmStatistics::block_times).with(StatisticSum::kept).outside_digest(),  // the first blocks only
        unprinted(&SmStatistics::warps).with(StatisticSum::kept).outside_digest()         // of the SMs that were chosen
    );
  }
};

/// What the register file and the units of all SMs did besides issuing.
struct PipelineStatistics {
  std::uint64_t operand_wait_cycles = 0;    ///< SM cycles that instructions waited for the read port of their bank
  std::uint64_t write_wait_cycles = 0;      ///< SM cycles that results waited for the write port of their bank
  std::uint64_t collector_full_cycles = 0;  ///< SM cycles in which all collectors of a unit waited, over units
  std::uint64_t dual_issued_mul = 0;        ///< multiplications that went to the SFU
  friend bool operator==(const PipelineStatistics&, const PipelineStatistics&) = default;

  static constexpr auto fields(const auto& visit) {
    return visit(
        statistic("dual_issued_mul", &PipelineStatistics::dual_issued_mul, "instructions", "GPU",
                  "f32 multiplications that went to the SFU"),
        statistic("operand_wait_cycles", &PipelineStatistics::operand_wait_cycles, "SM cycles", "GPU",
                  "cycles that instructions waited for the read port of their register bank, summed over instructions"),
        statistic("write_wait_cycles", &PipelineStatistics::write_wait_cycles, "SM cycles", "GPU",
                  "cycles that results waited for the write port of their register bank, summed over results"),
        statistic("collector_full_cycles", &PipelineStatistics::collector_full_cycles, "SM cycles", "GPU",
                  "SM cycles in which every operand collector of a unit was waiting, summed over units"));
  }
};

struct Occupancy {
  unsigned ctas_per_sm = 0;
  unsigned warps = 0;  ///< resident when full
  unsigned max_warps = 0;
  std::string limiter;  ///< "threads", "warps", "ctas", "registers", "shared"
};

enum class RunStatus : std::uint8_t { ok, interrupted, stuck, kernel_error, limit };

/// Names of the classes that split `issued`, in the order of LaunchStatistics::issued_by_class.
inline constexpr std::array<std::string_view, 12> issue_class_names{
    "alu", "mul", "sfu", "dp", "branch", "shared", "const", "global", "local", "tex", "barrier", "other"};
[[nodiscard]] std::string name_of_issue_class(std::size_t position);
/// Names of LaunchStatistics::unit_busy_cycles.
inline constexpr std::array<std::string_view, 4> unit_names{"mad", "sfu", "dp", "memory"};
[[nodiscard]] std::string name_of_unit(std::size_t position);

struct LaunchStatistics {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  RunStatus status = RunStatus::ok;
  bool timed = true;          ///< false in functional mode: no cycles, no slots
  SpCycle shader_cycles = 0;  ///< SP clock cycles from launch to the end of the last memory access
  Femtoseconds duration = 0;
  Femtoseconds overhead = 0;  ///< driver and front end, before the first block; not part of the duration
  Occupancy occupancy;
  std::uint64_t ctas_total = 0, ctas_done = 0;

  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< lanes that passed the guard
  std::uint64_t null_instructions = 0;
  std::array<std::uint64_t, 12> issued_by_class{};  ///< indexed by IssueClass
  std::uint64_t branches = 0, divergent_branches = 0;
  std::uint64_t active_lane_sum = 0;  ///< lanes active before the guard, over all warp instructions
  std::uint64_t barriers = 0;         ///< barrier instructions, per warp

  PerReason<> slots;                                ///< view A, all SMs; sum = sm cycles x SMs
  PerReason<> warp_cycles;                          ///< view B, all SMs
  std::array<std::uint64_t, 4> unit_busy_cycles{};  ///< SM cycles in which mad, sfu, dp, memory were starting a warp
  PipelineStatistics pipeline;

  OnChipStatistics shared;
  BankAccesses banks;  ///< of shared memory; not part of the digest, which has the degrees of the same passes
  OnChipStatistics constant;
  CoalescingStatistics global;
  CoalescingStatistics local;
  CoalescingStatistics texture;
  CodeAndConstantStatistics code;
  TextureStatistics textures;
  ProfilerCounters profiler;
  std::uint64_t load_requests = 0, load_responses = 0;  ///< transactions sent to / answered by the memory side
  std::uint64_t store_requests = 0, stores_performed = 0;
  std::uint64_t atomic_requests = 0, atomic_bytes = 0;  ///< atomics and reductions, part of the above
  std::vector<PartitionStatistics> partitions;
  RequestLatency request_latency;
  TlbStatistics tlb;

  std::vector<SmStatistics> sms;
  std::vector<PcStatistics> pcs;  ///< indexed by Instruction::index
  IntervalStatistics intervals;   ///< not part of the digest: the same counts as above, over time

  /// Adds a launch of the same kernel.
  LaunchStatistics& operator+=(const LaunchStatistics& other);

  static constexpr const char* traffic_why = "counted in timing mode only";
  static constexpr auto fields(const auto& visit) {
    return visit(
        launch_fact(&LaunchStatistics::kernel), launch_fact(&LaunchStatistics::grid),
        launch_fact(&LaunchStatistics::block), launch_fact(&LaunchStatistics::status),
        launch_fact(&LaunchStatistics::timed), launch_fact(&LaunchStatistics::occupancy),
        unprinted(&LaunchStatistics::shader_cycles), unprinted(&LaunchStatistics::duration),
        unprinted(&LaunchStatistics::overhead),
        statistic("ctas/total", &LaunchStatistics::ctas_total, "blocks", "launch",
                  "blocks of the grid, or those that were chosen of it")
            .with_formula("grid x * grid y"),
        statistic("ctas/done", &LaunchStatistics::ctas_done, "blocks", "launch", "blocks that finished"),
        statistic("instructions/warp", &LaunchStatistics::warp_instructions, "instructions", "launch",
                  "warp instructions issued, each counted once whatever its replays"),
        statistic("instructions/thread", &LaunchStatistics::thread_instructions, "instructions", "launch",
                  "lanes that passed the guard, over all warp instructions"),
        statistic("instructions/null", &LaunchStatistics::null_instructions, "instructions", "launch",
                  "warp instructions whose lanes were all predicated off"),
        statistic("instructions/barriers", &LaunchStatistics::barriers, "instructions", "launch",
                  "barrier instructions, per warp"),
        statistic("instructions/by_class/*", &LaunchStatistics::issued_by_class, name_of_issue_class, "instructions",
                  "launch", "warp instructions of one class"),
        statistic("issue_slots/*", &LaunchStatistics::slots, name_of_slot, "slots", "GPU",
                  "issue slots charged to this reason: that of the warp whose issue ended the wait"),
        statistic("warp_cycles/*", &LaunchStatistics::warp_cycles, name_of_warp_state, "warp cycles", "GPU",
                  "resident warp cycles spent in this state"),
        statistic_part("shared", &LaunchStatistics::shared)
            .with_name("accesses", "accesses_half_warp")
            .without("retries"),
        unprinted(&LaunchStatistics::banks).outside_digest(),  // the degrees of conflicts tell of the same passes
        statistic_part("constant", &LaunchStatistics::constant),
        statistic_part("global", &LaunchStatistics::global).timed(traffic_why),
        statistic_part("local", &LaunchStatistics::local).timed(traffic_why),
        statistic_part("texture", &LaunchStatistics::texture).timed(traffic_why),
        statistic_part("", &LaunchStatistics::textures),
        statistic_part("caches", &LaunchStatistics::code).timed(traffic_why), unprinted(&LaunchStatistics::profiler),
        statistic_rows("dram/partitions", &LaunchStatistics::partitions),
        statistic("requests/loads_sent", &LaunchStatistics::load_requests, "transactions", "GPU",
                  "load transactions sent by the SMs"),
        statistic("requests/loads_answered", &LaunchStatistics::load_responses, "transactions", "GPU",
                  "responses sent back to the SMs"),
        statistic("requests/stores_sent", &LaunchStatistics::store_requests, "transactions", "GPU",
                  "store transactions sent by the SMs"),
        statistic("requests/stores_performed", &LaunchStatistics::stores_performed, "transactions", "GPU",
                  "store transactions that took effect in memory"),
        unprinted(&LaunchStatistics::atomic_requests), unprinted(&LaunchStatistics::atomic_bytes),
        statistic_part("tlb", &LaunchStatistics::tlb), statistic_part("latency", &LaunchStatistics::request_latency),
        statistic("divergence/branches", &LaunchStatistics::branches, "instructions", "launch",
                  "branch instructions, per warp"),
        statistic("divergence/divergent", &LaunchStatistics::divergent_branches, "instructions", "launch",
                  "branches at which the lanes of a warp went both ways"),
        unprinted(&LaunchStatistics::active_lane_sum),
        statistic("units/*/busy_cycles", &LaunchStatistics::unit_busy_cycles, name_of_unit, "SM cycles", "GPU",
                  "SM cycles in which the unit was starting a warp"),
        statistic_part("pipeline", &LaunchStatistics::pipeline), statistic_rows("per_sm", &LaunchStatistics::sms),
        statistic_rows("", &LaunchStatistics::pcs),
        unprinted(&LaunchStatistics::intervals).with(StatisticSum::kept).outside_digest()  // the same counts, over time
    );
  }
};

}  // namespace teslasim
