// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/conservation.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace teslasim {
namespace {

class Books {
 public:
  void equal(std::string_view law, std::string statement, std::uint64_t left, std::uint64_t right) {
    if (left != right) violations.push_back({law, std::move(statement), left, right});
  }
  void at_most(std::string_view law, std::string statement, std::uint64_t left, std::uint64_t right) {
    if (left > right) violations.push_back({law, std::move(statement), left, right});
  }
  std::vector<Violation> violations;
};

std::uint64_t replays_in(const PerReason<>& slots) {
  std::uint64_t replays = 0;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (slot_reasons[i].group == ReasonGroup::replay) replays += slots.counts[i];
  }
  return replays;
}

std::uint64_t outside_view(const PerReason<>& counts, ReasonViews view) {
  std::uint64_t total = 0;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    const ReasonViews views = slot_reasons[i].views;
    if (views != ReasonViews::AB && views != view) total += counts.counts[i];
  }
  return total;
}

void check_sm(Books& books, const SmStatistics& sm, const std::string& where, SmCycle cycles) {
  const std::uint64_t issued = sm.slots[SlotReason::issued], replays = replays_in(sm.slots);
  books.equal("slots-close", "issue slots = SM cycles" + where, sm.slots.sum(), cycles.count());
  books.equal("warp-cycles-close", "warp states = resident warp cycles" + where, sm.warp_cycles.sum(),
              sm.resident_warp_cycles);
  books.equal("views-agree", "issued + replayed slots = issuing warp cycles" + where, issued + replays,
              sm.warp_cycles[SlotReason::issuing] + sm.warp_cycles[SlotReason::issuing_replay]);
  books.equal("issue-events", "issued + replayed slots = issue events" + where, issued + replays, sm.issue_events);
  books.equal("issue-events", "issued slots = warp instructions" + where, issued, sm.warp_instructions);
  books.equal("vocabulary", "no issue slot has a reason of warps only" + where, outside_view(sm.slots, ReasonViews::A),
              0);
  books.equal("vocabulary", "no warp state has a reason of slots only" + where,
              outside_view(sm.warp_cycles, ReasonViews::B), 0);
}

/// The warps of an SM, kept or not, did together what the SM did, and each was in one state in each of its cycles.
void check_warps(Books& books, const SmStatistics& sm, const std::string& where, SmCycle launch_end) {
  PerReason<> cycles = sm.warps.rest.cycles;
  std::uint64_t instructions = sm.warps.rest.instructions, threads = sm.warps.rest.thread_instructions;
  for (const WarpTimes& warp : sm.warps.first) {
    const SmCycle end = warp.end == WarpTimes::unfinished ? launch_end : warp.end;
    const SmCycle finish = warp.finish == WarpTimes::unfinished ? end : warp.finish;
    const std::uint64_t finished = warp.cycles[SlotReason::finished];
    if (warp.cycles.sum() != (end - warp.begin).count() || finished != (end - finish).count()) {
      const std::string which = " of warp " + std::to_string(warp.warp) + " of block " + std::to_string(warp.block);
      books.equal("warps", "states" + which + " = its cycles" + where, warp.cycles.sum(), (end - warp.begin).count());
      books.equal("warps", "finished cycles" + which + " = those from its end to that of its block" + where, finished,
                  (end - finish).count());
    }
    cycles += warp.cycles;
    instructions += warp.instructions;
    threads += warp.thread_instructions;
  }
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    books.equal("warps", "cycles of warps sum to the SM" + where + ", " + std::string(slot_reasons[i].name),
                cycles.counts[i], sm.warp_cycles.counts[i]);
  }
  books.equal("warps", "instructions of warps sum to the SM" + where, instructions, sm.warp_instructions);
  books.equal("warps", "thread instructions of warps sum to the SM" + where, threads, sm.thread_instructions);
}

void check_sms(Books& books, const LaunchStatistics& launch) {
  const SmCycle cycles = whole_sm_cycles(launch.shader_cycles);
  PerReason<> slots, warp_cycles;
  std::uint64_t warp_instructions = 0, thread_instructions = 0, blocks = 0;
  for (std::size_t i = 0; i < launch.sms.size(); ++i) {
    const SmStatistics& sm = launch.sms[i];
    check_sm(books, sm, ", SM " + std::to_string(i), cycles);
    if (sm.warps.kept) check_warps(books, sm, ", SM " + std::to_string(i), cycles);
    slots += sm.slots;
    warp_cycles += sm.warp_cycles;
    warp_instructions += sm.warp_instructions;
    thread_instructions += sm.thread_instructions;
    blocks += sm.blocks;
  }
  books.equal("slots-close", "issue slots = SM cycles x SMs", launch.slots.sum(), cycles.count() * launch.sms.size());
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    const std::string name(slot_reasons[i].name);
    books.equal("sms-sum", "slots of the SMs sum to the launch, " + name, slots.counts[i], launch.slots.counts[i]);
    books.equal("sms-sum", "warp cycles of the SMs sum to the launch, " + name, warp_cycles.counts[i],
                launch.warp_cycles.counts[i]);
  }
  books.equal("sms-sum", "warp instructions of the SMs sum to the launch", warp_instructions, launch.warp_instructions);
  books.equal("sms-sum", "thread instructions of the SMs sum to the launch", thread_instructions,
              launch.thread_instructions);
  if (launch.status == RunStatus::ok)
    books.equal("blocks", "blocks of the SMs sum to the grid", blocks, launch.ctas_total);
}

/// The series over time hold the same slots as the totals, and where a launch was not cut off the same bytes.
void check_intervals(Books& books, const LaunchStatistics& launch) {
  const IntervalStatistics& intervals = launch.intervals;
  const auto same = [&books](const std::string& what, std::uint64_t series, std::uint64_t total) {
    books.equal("intervals", what + " of the intervals sum to the launch", series, total);
  };
  const auto check = [&](const IntervalSeries& series, const PerReason<>& slots, const std::string& where) {
    for (unsigned i = 0; i < slot_reason_count; ++i) {
      same("slots" + where + ", " + std::string(slot_reasons[i].name), series.sum(i), slots.counts[i]);
    }
  };
  check(intervals.gpu, launch.slots, "");
  for (std::size_t i = 0; i < intervals.sms.size(); ++i) {
    check(intervals.sms[i], launch.sms[i].slots, " of SM " + std::to_string(i));
  }
  same("resident warp cycles", intervals.gpu.sum(interval_active), launch.warp_cycles.sum());
  same("eligible warp cycles", intervals.gpu.sum(interval_eligible),
       launch.warp_cycles[SlotReason::issuing] + launch.warp_cycles[SlotReason::issuing_replay] +
           launch.warp_cycles[SlotReason::not_selected]);
  if (launch.status != RunStatus::ok) return;
  std::uint64_t read = 0, written = 0, hits = 0;
  for (std::size_t i = 0; i < launch.partitions.size(); ++i) {
    const PartitionStatistics& partition = launch.partitions[i];
    read += partition.read_bytes;
    written += partition.write_bytes;
    hits += partition.row_hits;
    const auto own = static_cast<unsigned>(interval_memory_columns + interval_partition_columns * i);
    same("bytes of partition " + std::to_string(i), intervals.memory.sum(own),
         partition.read_bytes + partition.write_bytes);
  }
  same("DRAM bytes read", intervals.memory.sum(interval_read_bytes), read);
  same("DRAM bytes written", intervals.memory.sum(interval_write_bytes), written);
  same("row hits", intervals.memory.sum(interval_row_hits), hits);
}

void check_on_chip(Books& books, const OnChipStatistics& memory, const std::string& name) {
  std::uint64_t accesses = 0, replays = 0;
  for (std::size_t degree = 1; degree < memory.degree.size(); ++degree) {
    accesses += memory.degree[degree];
    replays += memory.degree[degree] * (degree - 1);
  }
  books.equal("replays", name + " accesses = sum of the degree histogram", memory.accesses, accesses);
  // The last row of the histogram also holds the degrees above it, which machines with wide access groups have.
  if (memory.degree.back() == 0 || memory.replays < replays) {
    books.equal("replays", name + " replays = sum of (degree - 1)", memory.replays, replays);
  }
}

std::uint64_t transactions_of(const CoalescingStatistics& traffic) {
  return traffic.transactions_16 + traffic.transactions_32 + traffic.transactions_64 + traffic.transactions_128;
}

void check_traffic(Books& books, const CoalescingStatistics& traffic, const std::string& name) {
  const std::uint64_t bytes = 16 * traffic.transactions_16 + 32 * traffic.transactions_32 +
                              64 * traffic.transactions_64 + 128 * traffic.transactions_128;
  books.equal("bytes", name + " bytes = sum of transaction sizes", traffic.bytes, bytes);
  books.at_most("bytes", name + " requests <= transactions", traffic.requests_half_warp, transactions_of(traffic));
}

/// I7 of the accounting: the stages of a request sum to its latency.
void check_latency(Books& books, const LaunchStatistics& launch) {
  const RequestLatency& latency = launch.request_latency;
  Femtoseconds stages = 0;
  std::uint64_t counted = 0;
  for (const Femtoseconds time : latency.stage) stages += time;
  for (const std::uint64_t count : latency.histogram) counted += count;
  books.equal("latency", "time of the stages = time of the requests, in fs", stages.count(), latency.total.count());
  books.equal("latency", "latency histogram = responses", counted, launch.load_responses + launch.code.answered);
}

void check_cache(Books& books, const CacheStatistics& cache, const std::string& name, bool finished) {
  books.equal("caches", name + ": hits + misses = accesses", cache.hits + cache.misses, cache.accesses);
  if (finished) {
    books.equal("caches", name + ": misses = merged + lines that came", cache.misses, cache.merged + cache.fills);
  }
}

void check_caches(Books& books, const LaunchStatistics& launch) {
  const CodeAndConstantStatistics& code = launch.code;
  const bool finished = launch.status == RunStatus::ok;
  check_cache(books, code.instruction_l1, "instruction L1", finished);
  check_cache(books, code.constant_l1, "constant L1", finished);
  check_cache(books, code.instruction_l2, "instruction L2", finished);
  check_cache(books, code.constant_l2, "constant L2", finished);
  check_cache(books, code.instruction_l3, "instruction L3", finished);
  check_cache(books, code.constant_l3, "constant L3", finished);
  if (!finished) return;
  books.equal("caches", "instruction lines asked of L2 = lines that came to L1", code.instruction_l2.accesses,
              code.instruction_l1.fills);
  books.equal("caches", "constant lines asked of L2 = lines that came to L1", code.constant_l2.accesses,
              code.constant_l1.fills);
  books.equal("caches", "instruction lines asked of L3 = lines that came to L2", code.instruction_l3.accesses,
              code.instruction_l2.fills);
  books.equal("caches", "constant lines asked of L3 = lines that came to L2", code.constant_l3.accesses,
              code.constant_l2.fills);
  books.equal("caches", "transactions for lines = responses", code.transactions, code.answered);
}

std::uint64_t sum_of(const BusCycles& bus) {
  return std::accumulate(bus.begin(), bus.end(), std::uint64_t{0});
}

/// Texture units: per level, what is asked comes back.
void check_textures(Books& books, const LaunchStatistics& launch) {
  const TextureStatistics& textures = launch.textures;
  const bool finished = launch.status == RunStatus::ok;
  check_cache(books, textures.l1, "texture L1", finished);
  check_cache(books, textures.l2, "texture L2", finished);
  if (!finished) return;
  books.equal("textures", "half-warps taken = half-warps answered", textures.requests, textures.replies);
  books.equal("textures", "half-warps taken = half-warps that read a texture", textures.requests,
              launch.texture.requests_half_warp);
  books.equal("textures", "look-ups in L1 = lines that half-warps ask for", textures.l1.accesses,
              transactions_of(launch.texture));
  books.equal("textures", "lines asked of L2 = lines that came to L1", textures.line_requests, textures.l1.fills);
  books.equal("textures", "lines asked of L2 = lines that came from there", textures.line_requests,
              textures.line_replies);
  books.equal("textures", "look-ups in L2 = lines asked of L2", textures.l2.accesses, textures.line_requests);
}

/// A memory model behind a TLM-2.0 socket keeps its own account of buses and rows: no cycle of a bus has an owner here,
/// though time passed.
bool memory_is_outside(const LaunchStatistics& launch) {
  return launch.duration != 0 && std::all_of(launch.partitions.begin(), launch.partitions.end(),
                                             [](const auto& partition) { return sum_of(partition.bus) == 0; });
}

void check_memory(Books& books, const LaunchStatistics& launch) {
  std::uint64_t bytes = 0, transactions = 0, served = 0;
  const std::uint64_t memory_cycles = launch.partitions.empty() ? 0 : sum_of(launch.partitions.front().bus);
  for (const PartitionStatistics& partition : launch.partitions) {
    books.equal("dram", "cycles of the data bus by use = those of the first partition", sum_of(partition.bus),
                memory_cycles);
    books.equal(
        "dram", "cycles with data = cycles to read + cycles to write", partition.busy_cycles,
        partition.bus[static_cast<std::size_t>(BusUse::read)] + partition.bus[static_cast<std::size_t>(BusUse::write)]);
    bytes += partition.read_bytes + partition.write_bytes;
    transactions += partition.read_transactions + partition.write_transactions;
    served += partition.row_hits + partition.row_misses;
  }
  const TextureStatistics& textures = launch.textures;
  const std::uint64_t sent = launch.load_requests + launch.store_requests;
  const std::uint64_t past_caches = sent - textures.requests + textures.line_requests;
  books.equal("requests", "load requests = responses", launch.load_requests, launch.load_responses);
  books.equal("requests", "store requests = stores performed", launch.store_requests, launch.stores_performed);
  books.equal("requests", "requests sent = transactions after coalescing + half-warps of texture reads", sent,
              transactions_of(launch.global) + transactions_of(launch.local) + launch.texture.requests_half_warp);
  // An atomic is one request that the partition turns into a read and a write.
  books.equal(
      "dram", "transactions of the partitions = requests sent + atomics + page walks + those for lines of caches",
      transactions,
      sent - textures.requests + launch.atomic_requests + launch.tlb.walks + launch.code.transactions + textures.reads);
  books.equal("dram", "bytes of the partitions = bytes after coalescing + bytes of atomics, page walks, lines", bytes,
              launch.global.bytes + launch.local.bytes + launch.atomic_bytes + launch.tlb.walk_bytes +
                  launch.code.bytes + textures.read_bytes);
  books.equal("tlb", "translations = requests sent, of texture reads those for lines", launch.tlb.l1_look_ups,
              past_caches);
  books.at_most("tlb", "look-ups in the second level <= misses of the first", launch.tlb.l2_look_ups,
                launch.tlb.l1_misses);
  books.at_most("tlb", "page walks <= look-ups in the second level", launch.tlb.walks, launch.tlb.l2_look_ups);
  if (memory_is_outside(launch)) {
    books.equal("dram", "row hits + row misses = 0 with a memory that keeps its own account", served, 0);
  } else {
    books.equal("dram", "row hits + row misses = transactions of the partitions", served, transactions);
  }
  check_latency(books, launch);
  books.equal("blocks", "finished blocks = blocks of the grid", launch.ctas_done, launch.ctas_total);
}

struct PcSums {
  PcStatistics all;
  explicit PcSums(const LaunchStatistics& launch) {
    for (const PcStatistics& pc : launch.pcs) {
      all.warp_issues += pc.warp_issues;
      all.thread_issues += pc.thread_issues;
      all.null_issues += pc.null_issues;
      all.divergent += pc.divergent;
      all.slots += pc.slots;
      all.memory += pc.memory;
      all.shared += pc.shared;
      all.constant += pc.constant;
    }
  }
};

void check_pcs(Books& books, const LaunchStatistics& launch) {
  const PcStatistics sum = PcSums(launch).all;
  const auto same = [&books](const char* what, std::uint64_t left, std::uint64_t right) {
    books.equal("addresses-sum", std::string(what) + " of the instruction addresses sum to the launch", left, right);
  };
  same("warp instructions", sum.warp_issues, launch.warp_instructions);
  same("thread instructions", sum.thread_issues, launch.thread_instructions);
  same("null instructions", sum.null_issues, launch.null_instructions);
  same("divergent branches", sum.divergent, launch.divergent_branches);
  same("shared accesses", sum.shared.accesses, launch.shared.accesses);
  same("shared replays", sum.shared.replays, launch.shared.replays);
  same("constant replays", sum.constant.replays, launch.constant.replays);
  same("bytes moved", sum.memory.bytes, launch.global.bytes + launch.local.bytes + launch.texture.bytes);
  if (!launch.timed) return;
  same("issued slots", sum.slots[SlotReason::issued], launch.slots[SlotReason::issued]);
  same("replayed slots", replays_in(sum.slots), replays_in(launch.slots));
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    books.at_most("addresses-sum",
                  "slots charged to addresses <= slots of the launch, " + std::string(slot_reasons[i].name),
                  sum.slots.counts[i], launch.slots.counts[i]);
  }
}

void check_lanes(Books& books, const LaunchStatistics& launch) {
  std::uint64_t classes = 0;
  for (const std::uint64_t count : launch.issued_by_class) classes += count;
  books.equal("classes-sum", "instructions by class sum to warp instructions", classes, launch.warp_instructions);
  constexpr unsigned multiplications = 1;  // IssueClass::mul
  books.at_most("dual-issue", "multiplications on the SFU <= multiplications", launch.pipeline.dual_issued_mul,
                launch.issued_by_class[multiplications]);
  books.at_most("lanes", "lanes that passed the guard <= active lanes", launch.thread_instructions,
                launch.active_lane_sum);
  books.at_most("lanes", "active lanes <= 32 x warp instructions", launch.active_lane_sum,
                warp_size * launch.warp_instructions);
  books.at_most("lanes", "divergent branches <= branches", launch.divergent_branches, launch.branches);
}

/// A pass uses at least one bank, and each bank at most once.
void check_banks(Books& books, const LaunchStatistics& launch) {
  const std::uint64_t passes = launch.shared.accesses + launch.shared.replays;
  std::uint64_t words = 0;
  for (unsigned bank = 0; bank < launch.banks.banks; ++bank) {
    words += launch.banks.of(bank);
    books.at_most("banks", "words of bank " + std::to_string(bank) + " <= passes over shared memory",
                  launch.banks.of(bank), passes);
  }
  if (launch.banks.banks != 0) books.at_most("banks", "passes over shared memory <= words of all banks", passes, words);
}

}  // namespace

std::vector<Violation> check_conservation(const LaunchStatistics& launch) {
  Books books;
  check_lanes(books, launch);
  check_on_chip(books, launch.shared, "shared memory");
  check_banks(books, launch);
  check_on_chip(books, launch.constant, "constant memory");
  if (!launch.pcs.empty()) check_pcs(books, launch);
  if (!launch.timed) return books.violations;
  check_sms(books, launch);
  if (launch.intervals.recorded()) check_intervals(books, launch);
  check_traffic(books, launch.global, "global");
  check_traffic(books, launch.local, "local");
  check_traffic(books, launch.texture, "texture");
  check_caches(books, launch);
  check_textures(books, launch);
  if (launch.status == RunStatus::ok) check_memory(books, launch);
  return books.violations;
}

std::string describe(const Violation& violation) {
  return std::string(violation.law) + ": " + violation.statement + " (" + std::to_string(violation.left) + " and " +
         std::to_string(violation.right) + ")";
}

}  // namespace teslasim
