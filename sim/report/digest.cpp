// SPDX-License-Identifier: Apache-2.0
#include "sim/report/digest.h"

#include <xxhash.h>

#include <array>
#include <fstream>
#include <type_traits>
#include <vector>

namespace teslasim {

/// Feeds numbers as 8 little-endian bytes each, so that the digest does not depend on the host.
class Digest::State {
 public:
  State() : state_(XXH3_createState()) { XXH3_64bits_reset(state_); }
  ~State() { XXH3_freeState(state_); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void bytes(const void* data, std::size_t size) { XXH3_64bits_update(state_, data, size); }
  [[nodiscard]] std::uint64_t value() const { return XXH3_64bits_digest(state_); }

  void put(std::uint64_t number) {
    std::array<unsigned char, 8> little{};
    for (std::size_t i = 0; i < little.size(); ++i) little[i] = static_cast<unsigned char>(number >> (8 * i));
    bytes(little.data(), little.size());
  }
  template <typename Number, std::size_t count>
  void put(const std::array<Number, count>& numbers) {
    for (const Number number : numbers) put(std::uint64_t{number});
  }
  void put(const PerReason<>& reasons) { put(reasons.counts); }
  void put(const OnChipStatistics& memory) {
    put(memory.accesses);
    put(memory.replays);
    put(memory.retries);
    put(memory.degree);
  }
  void put(const CoalescingStatistics& traffic) {
    put(std::array{traffic.requests_half_warp, traffic.transactions_32, traffic.transactions_64,
                   traffic.transactions_128, traffic.bytes, traffic.bytes_used});
    if (traffic.transactions_16 != 0) put(traffic.transactions_16);  // no machine that was built has them
  }
  void put(const CacheStatistics& cache) {
    put(std::array{cache.accesses, cache.hits, cache.misses, cache.merged, cache.fills});
  }
  void put(const CodeAndConstantStatistics& code) {
    put(code.instruction_l1);
    put(code.constant_l1);
    put(code.instruction_l2);
    put(code.constant_l2);
    put(code.instruction_l3);
    put(code.constant_l3);
    put(std::array{code.transactions, code.answered, code.bytes});
  }
  void put(const TextureStatistics& textures) {
    put(std::array{textures.requests, textures.replies, textures.line_requests, textures.line_replies, textures.reads,
                   textures.read_bytes, textures.address_cycles, textures.filter_cycles, textures.held_back_cycles});
    put(textures.l1);
    put(textures.l2);
  }
  void put(const PcStatistics& pc) {
    put(std::array{pc.warp_issues, pc.thread_issues, pc.null_issues, pc.divergent});
    put(pc.slots);
    put(pc.memory);
    put(pc.shared);
    put(pc.constant);
    put(std::array{pc.latency.count(), pc.latency.sum(), pc.latency.least(), pc.latency.greatest()});
    put(std::uint64_t{pc.blamed.size()});
    for (const auto& [producer, slots] : pc.blamed) put(std::array{std::uint64_t{producer}, slots});
  }
  void put(const SmStatistics& sm) {
    put(sm.slots);
    put(sm.warp_cycles);
    put(std::array{sm.resident_warp_cycles, sm.issue_events, sm.warp_instructions, sm.thread_instructions, sm.blocks});
  }
  void put(const PartitionStatistics& partition) {
    put(std::array{partition.read_transactions, partition.write_transactions, partition.read_bytes,
                   partition.write_bytes, partition.busy_cycles, partition.atomic_operations, partition.row_hits,
                   partition.row_misses, partition.activates, partition.refreshes, partition.turns,
                   partition.queue_cycles, partition.queue_deepest});
    put(partition.bus);
  }
  void put(const RequestLatency& latency) {
    put(latency.stage);
    put(latency.histogram);
    put(std::array{latency.total, latency.answers});
  }
  template <typename Row>
  void put_all(const std::vector<Row>& rows) {
    put(std::uint64_t{rows.size()});
    for (const Row& row : rows) put(row);
  }

 private:
  XXH3_state_t* state_;
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::~Digest() = default;

void Digest::add_text(std::string_view text) {
  state_->put(std::uint64_t{text.size()});
  state_->bytes(text.data(), text.size());
}

void Digest::add(const LaunchStatistics& launch) {
  add_text(launch.kernel);
  state_->put(launch.grid);
  state_->put(launch.block);
  state_->put(static_cast<std::uint64_t>(launch.status));
  state_->put(std::uint64_t{launch.timed ? 1U : 0U});
  state_->put(std::array{launch.shader_cycles, launch.duration, launch.overhead, launch.ctas_total, launch.ctas_done});
  state_->put(std::array{launch.occupancy.ctas_per_sm, launch.occupancy.warps, launch.occupancy.max_warps});
  add_text(launch.occupancy.limiter);
  state_->put(std::array{launch.warp_instructions, launch.thread_instructions, launch.null_instructions,
                         launch.branches, launch.divergent_branches, launch.active_lane_sum, launch.barriers});
  state_->put(launch.issued_by_class);
  state_->put(launch.slots);
  state_->put(launch.warp_cycles);
  state_->put(launch.unit_busy_cycles);
  state_->put(std::array{launch.pipeline.operand_wait_cycles, launch.pipeline.write_wait_cycles,
                         launch.pipeline.collector_full_cycles, launch.pipeline.dual_issued_mul});
  state_->put(launch.shared);
  state_->put(launch.constant);
  state_->put(launch.global);
  state_->put(launch.local);
  state_->put(launch.texture);
  state_->put(launch.textures);
  state_->put(launch.code);
  state_->put(launch.profiler.counts);
  state_->put(std::array{launch.load_requests, launch.load_responses, launch.store_requests, launch.stores_performed,
                         launch.atomic_requests, launch.atomic_bytes});
  state_->put_all(launch.partitions);
  state_->put(launch.request_latency);
  state_->put(std::array{launch.tlb.l1_look_ups, launch.tlb.l1_misses, launch.tlb.l2_look_ups, launch.tlb.walks});
  state_->put_all(launch.sms);
  state_->put_all(launch.pcs);
}

void Digest::add(std::string_view name, std::span<const std::byte> bytes) {
  add_text(name);
  state_->put(std::uint64_t{bytes.size()});
  state_->bytes(bytes.data(), bytes.size());
}

std::uint64_t Digest::value() const {
  return state_->value();
}

std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::optional<std::uint64_t> hash_file(const std::string& path) {
  constexpr std::size_t piece = std::size_t{1} << 20U;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<char> bytes(piece);
  do {
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    XXH3_64bits_update(state.get(), bytes.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (!file.eof()) return std::nullopt;
  return XXH3_64bits_digest(state.get());
}

}  // namespace teslasim
