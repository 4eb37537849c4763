// SPDX-License-Identifier: Apache-2.0
// Changes one member of the tables of a launch after the other, for tests that every one of them counts.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/launch_statistics.h"

namespace teslasim::test {

/// What the table says of the member that was changed.
struct ChangedMember {
  std::string name;  ///< its path, or its position among all rows
  StatisticSum sum = StatisticSum::added;
  bool in_digest = true;
};

/// Walks the tables and changes the member of row `wanted`; of lists, that of the first element.
class MemberChanger {
 public:
  explicit MemberChanger(unsigned wanted) : wanted_(wanted) {}

  template <typename Table>
  void visit_table(Table& table) {
    Table::fields([&](const auto&... rows) { (visit(table, rows), ...); });
  }
  std::optional<ChangedMember> changed;

 private:
  template <typename Owner, typename Member>
  void visit(Owner& owner, const StatisticField<Owner, Member>& row) {
    if (position_++ != wanted_) return;
    change(owner.*(row.member));
    changed = {row.text.path + (" (row " + std::to_string(wanted_) + ")"), row.sum, row.in_digest};
  }
  template <typename Owner, typename Part>
  void visit(Owner& owner, const StatisticPart<Owner, Part>& part) {
    visit_table(owner.*(part.member));
  }
  template <typename Owner, typename Row>
  void visit(Owner& owner, const StatisticRows<Owner, Row>& rows) {
    visit_table((owner.*(rows.member)).front());
  }
  template <typename Owner>
  void visit(Owner&, const StatisticRatio<Owner>&) {}

  template <typename Value>
  static void change(Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      value = !value;
    } else if constexpr (std::is_enum_v<Value>) {
      value = static_cast<Value>(static_cast<unsigned>(value) + 1);
    } else {
      value += 1;
    }
  }
  template <typename Value, std::size_t count>
  static void change(std::array<Value, count>& values) {
    change(values.back());
  }
  static void change(std::string& text) { text += 'x'; }
  static void change(PerReason<>& counts) { change(counts.counts); }
  static void change(ProfilerCounters& counters) { change(counters.counts); }
  static void change(LatencyHistogram& histogram) { histogram.add(1000); }
  static void change(std::vector<std::pair<std::uint32_t, std::uint64_t>>& blamed) { blamed.emplace_back(77, 1); }
  static void change(Occupancy& occupancy) { ++occupancy.warps; }
  static void change(BankAccesses& banks) { ++banks.all; }
  static void change(WarpRecords& warps) { ++warps.dropped; }
  static void change(std::vector<BlockTimes>& times) { times.emplace_back(); }
  static void change(IntervalStatistics&) {}

  unsigned wanted_;
  unsigned position_ = 0;
};

/// Changes row `wanted`; nothing when there are fewer rows.
inline std::optional<ChangedMember> change_member(LaunchStatistics& launch, unsigned wanted) {
  MemberChanger changer(wanted);
  changer.visit_table(launch);
  return changer.changed;
}

}  // namespace teslasim::test
