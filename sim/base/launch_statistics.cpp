// SPDX-License-Identifier: Apache-2.0
// Sums of counters and names of their elements, from the tables beside the structures.
#include "sim/base/launch_statistics.h"

#include <algorithm>

#include "sim/base/diagnostic.h"
#include "sim/base/instruction_sum.h"

namespace teslasim {

// Here, not in the headers: these take a second to compile.
static_assert(has_a_row_for_every_member<CacheStatistics>);
static_assert(has_a_row_for_every_member<CoalescingStatistics>);
static_assert(has_a_row_for_every_member<CodeAndConstantStatistics>);
static_assert(has_a_row_for_every_member<TextureStatistics>);
static_assert(has_a_row_for_every_member<PartitionStatistics>);
static_assert(has_a_row_for_every_member<RequestLatency>);
static_assert(has_a_row_for_every_member<TlbStatistics>);
static_assert(has_a_row_for_every_member<OnChipStatistics>);
static_assert(has_a_row_for_every_member<PcStatistics>);
static_assert(has_a_row_for_every_member<SmStatistics>);
static_assert(has_a_row_for_every_member<PipelineStatistics>);
static_assert(has_a_row_for_every_member<LaunchStatistics>);

namespace {

using Blamed = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

template <typename Counters>
void add_rows_of(Counters& sum, const Counters& other);

template <typename Value>
requires(!std::is_same_v<Value, bool> &&
         requires(Value & value) { value += value; }) void add_value(Value& sum, const Value& other) {
  sum += other;
}
template <typename Value, std::size_t count>
void add_value(std::array<Value, count>& sum, const std::array<Value, count>& other) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += other[i];
}
/// Who is blamed most comes first.
void add_value(Blamed& sum, const Blamed& other) {
  for (const auto& blamed : other) {
    const auto found =
        std::find_if(sum.begin(), sum.end(), [&blamed](const auto& row) { return row.first == blamed.first; });
    if (found == sum.end()) {
      sum.push_back(blamed);
    } else {
      found->second += blamed.second;
    }
  }
  std::stable_sort(sum.begin(), sum.end(), [](const auto& left, const auto& right) {
    return std::pair(right.second, left.first) < std::pair(left.second, right.first);
  });
}

template <typename Owner, typename Member>
void add_row(Owner& sum, const Owner& other, const StatisticField<Owner, Member>& row) {
  if constexpr (requires(Member value) { add_value(value, value); }) {
    if (row.sum == StatisticSum::added) add_value(sum.*(row.member), other.*(row.member));
  } else {
    SIM_CHECK(row.sum == StatisticSum::kept, "a member that cannot be added is kept");
  }
  if constexpr (std::is_unsigned_v<Member> || is_quantity<Member>) {
    if (row.sum == StatisticSum::greatest) sum.*(row.member) = std::max(sum.*(row.member), other.*(row.member));
  }
}
template <typename Owner, typename Part>
void add_row(Owner& sum, const Owner& other, const StatisticPart<Owner, Part>& row) {
  add_rows_of(sum.*(row.member), other.*(row.member));
}
template <typename Owner, typename Row>
void add_row(Owner& sum, const Owner& other, const StatisticRows<Owner, Row>& row) {
  std::vector<Row>& rows = sum.*(row.member);
  const std::vector<Row>& others = other.*(row.member);
  SIM_CHECK(rows.size() == others.size(), "launches of one kernel have as many instructions, SMs and partitions");
  for (std::size_t i = 0; i < rows.size(); ++i) add_rows_of(rows[i], others[i]);
}
template <typename Owner>
void add_row(Owner&, const Owner&, const StatisticRatio<Owner>&) {}

template <typename Counters>
void add_rows_of(Counters& sum, const Counters& other) {
  Counters::fields([&sum, &other](const auto&... rows) { (add_row(sum, other, rows), ...); });
}

}  // namespace

CacheStatistics& CacheStatistics::operator+=(const CacheStatistics& other) {
  add_rows_of(*this, other);
  return *this;
}

OnChipStatistics& OnChipStatistics::operator+=(const OnChipStatistics& other) {
  add_rows_of(*this, other);
  return *this;
}

BankAccesses& BankAccesses::operator+=(const BankAccesses& other) {
  add_rows_of(*this, other);
  return *this;
}

CoalescingStatistics& CoalescingStatistics::operator+=(const CoalescingStatistics& other) {
  add_rows_of(*this, other);
  return *this;
}

RequestLatency& RequestLatency::operator+=(const RequestLatency& other) {
  add_rows_of(*this, other);
  return *this;
}

TextureStatistics& TextureStatistics::operator+=(const TextureStatistics& other) {
  add_rows_of(*this, other);
  return *this;
}

void add(std::vector<PcStatistics>& sum, const std::vector<PcStatistics>& other) {
  SIM_CHECK(sum.size() == other.size(), "counters of different kernels");
  for (std::size_t i = 0; i < sum.size(); ++i) add_rows_of(sum[i], other[i]);
}

LaunchStatistics& LaunchStatistics::operator+=(const LaunchStatistics& other) {
  add_rows_of(*this, other);
  return *this;
}

std::string name_of_degree(std::size_t degree) {
  return degree == 0 ? "" : std::to_string(degree);
}

std::string name_of_bus_use(std::size_t use) {
  return std::string(bus_use_names.at(use));
}

std::string name_of_latency(std::size_t bin) {
  constexpr Femtoseconds nanosecond = 1'000'000;
  return std::to_string(bin * (RequestLatency::bin / nanosecond));
}

std::string name_of_issue_class(std::size_t position) {
  return std::string(issue_class_names.at(position));
}

std::string name_of_unit(std::size_t position) {
  return std::string(unit_names.at(position));
}

std::string name_of_slot(std::size_t reason) {
  const SlotReasonInfo& row = slot_reasons.at(reason);
  return row.views == ReasonViews::B ? "" : std::string(row.name);
}

std::string name_of_warp_state(std::size_t reason) {
  const SlotReasonInfo& row = slot_reasons.at(reason);
  if (row.views == ReasonViews::A) return "";
  return row.views == ReasonViews::AB ? "wait." + std::string(row.name) : std::string(row.name);
}

}  // namespace teslasim
