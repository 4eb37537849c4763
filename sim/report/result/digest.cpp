// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/digest.h"

#include <xxhash.h>

#include <array>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"

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
  template <typename Unit>
  void put(Quantity<Unit> amount) {
    put(amount.count());
  }
  void put(std::string_view text) {
    put(std::uint64_t{text.size()});
    bytes(text.data(), text.size());
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  template <typename Value>
  requires(std::is_enum_v<Value>) void put(Value value) { put(static_cast<std::uint64_t>(value)); }
  template <typename Value, std::size_t count>
  void put(const std::array<Value, count>& values) {
    for (const Value& value : values) put(std::uint64_t{value});
  }
  void put(const PerReason<>& reasons) { put(reasons.counts); }
  void put(const ProfilerCounters& counters) { put(counters.counts); }
  void put(const LatencyHistogram& latency) {
    put(std::array{latency.count(), latency.sum(), latency.least(), latency.greatest()});
  }
  void put(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& blamed) {
    put(std::uint64_t{blamed.size()});
    for (const auto& [producer, slots] : blamed) put(std::array{std::uint64_t{producer}, slots});
  }
  void put(const Occupancy& occupancy) {
    put(std::array{occupancy.ctas_per_sm, occupancy.warps, occupancy.max_warps});
    put(occupancy.limiter);
  }

  /// The members of a structure in the order of its table.
  template <typename Counters>
  void put_table(const Counters& counters) {
    Counters::fields([&](const auto&... rows) { (put_row(counters, rows), ...); });
  }

 private:
  template <typename Owner, typename Member>
  void put_row(const Owner& owner, const StatisticField<Owner, Member>& row) {
    if constexpr (requires(State & state, const Member& member) { state.put(member); }) {
      if (row.in_digest) put(owner.*(row.member));
    } else {
      SIM_CHECK(!row.in_digest, "a member of a table is part of the digest, or says that it is not");
    }
  }
  template <typename Owner, typename Part>
  void put_row(const Owner& owner, const StatisticPart<Owner, Part>& row) {
    put_table(owner.*(row.member));
  }
  template <typename Owner, typename Row>
  void put_row(const Owner& owner, const StatisticRows<Owner, Row>& rows) {
    put(std::uint64_t{(owner.*(rows.member)).size()});
    for (const Row& row : owner.*(rows.member)) put_table(row);
  }
  template <typename Owner>
  void put_row(const Owner&, const StatisticRatio<Owner>&) {}

  XXH3_state_t* state_;
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::~Digest() = default;

void Digest::add(const LaunchStatistics& launch) {
  state_->put_table(launch);
}

void Digest::add(const BlockSample& sample) {
  state_->put(std::array{sample.timed_blocks, sample.function_blocks, sample.function_warp_instructions,
                         sample.cycles.count(), sample.cycles_bound.count()});
}

void Digest::add(std::string_view name, std::span<const std::byte> bytes) {
  state_->put(name);
  state_->put(std::uint64_t{bytes.size()});
  state_->bytes(bytes.data(), bytes.size());
}

std::uint64_t Digest::value() const {
  return state_->value();
}

}  // namespace teslasim
