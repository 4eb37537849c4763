// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/counted_rows.h"

#include <algorithm>
#include <type_traits>

namespace teslasim {
namespace {

/// Where a table stands in the document.
struct TablePlace {
  std::string prefix;           ///< "caches/constant_l1/"
  const char* only_timed = "";  ///< see StatisticPart
  std::string_view renamed, name, hidden;

  [[nodiscard]] std::string path_of(std::string_view row) const {
    return prefix + std::string(row == renamed ? name : row);
  }
  [[nodiscard]] bool prints(std::string_view row) const { return !row.empty() && row != hidden; }
  template <typename Owner, typename Part>
  [[nodiscard]] TablePlace below(const StatisticPart<Owner, Part>& part) const {
    const std::string_view path = part.path;
    return {path.empty() ? prefix : prefix + std::string(path) + '/',
            *part.only_timed == '\0' ? only_timed : part.only_timed, part.renamed, part.name, part.hidden};
  }
};

/// "units/*/busy_cycles" with the name of an element.
std::string with_element(std::string path, const std::string& name) {
  return path.replace(path.find('*'), 1, name);
}

template <std::size_t count>
const std::array<std::uint64_t, count>& elements_of(const std::array<std::uint64_t, count>& counts) {
  return counts;
}
const std::array<std::uint64_t, slot_reason_count>& elements_of(const PerReason<>& counts) {
  return counts.counts;
}

/// Collects values; absent ones with the reason.
class ValueVisitor {
 public:
  ValueVisitor(std::vector<Statistic>& list, bool timed) : list_(list), timed_(timed) {}

  template <typename Owner, typename Member>
  void visit(const Owner& owner, const TablePlace& place, const StatisticField<Owner, Member>& row) {
    if (!place.prints(row.text.path)) return;
    const std::string path = place.path_of(row.text.path);
    if constexpr (std::is_same_v<Member, std::uint64_t>) {
      put(path, place, row.text, owner.*(row.member));
    } else if constexpr (is_quantity<Member>) {
      put(path, place, row.text, (owner.*(row.member)).count());
    } else if constexpr (requires(const Member& member) { elements_of(member); }) {
      if constexpr (std::is_same_v<Member, PerReason<>>) {
        put(with_element(path, "total"), place, row.text, (owner.*(row.member)).sum());
      }
      const auto& elements = elements_of(owner.*(row.member));
      for (std::size_t i = 0; i < elements.size(); ++i) {
        const std::string name = row.name(i);
        if (!name.empty()) put(with_element(path, name), place, row.text, elements[i]);
      }
    }
  }
  template <typename Owner, typename Part>
  void visit(const Owner& owner, const TablePlace& place, const StatisticPart<Owner, Part>& part) {
    visit_table(owner.*(part.member), place.below(part));
  }
  template <typename Owner, typename Row>
  void visit(const Owner&, const TablePlace&, const StatisticRows<Owner, Row>&) {}  // see the other counted_rows
  template <typename Owner>
  void visit(const Owner& owner, const TablePlace& place, const StatisticRatio<Owner>& row) {
    const std::string path = place.path_of(row.text.path);
    const std::uint64_t divisor = owner.*(row.divisor);
    if (present(place, row.text) && divisor == 0) {
      list_.push_back({path, NotApplicable{row.why}});
      return;
    }
    const double ratio = divisor == 0 ? 0.0 : static_cast<double>(owner.*(row.dividend)) / static_cast<double>(divisor);
    put(path, place, row.text, ratio);
  }
  template <typename Table>
  void visit_table(const Table& table, const TablePlace& place) {
    Table::fields([&](const auto&... rows) { (visit(table, place, rows), ...); });
  }

 private:
  [[nodiscard]] bool present(const TablePlace& place, const StatisticText& text) const {
    return timed_ || (*place.only_timed == '\0' && std::string_view(text.scope) != "GPU");
  }
  template <typename Value>
  void put(const std::string& path, const TablePlace& place, const StatisticText& text, Value value) {
    if (present(place, text)) {
      list_.push_back({path, value});
    } else {
      list_.push_back({path, NotApplicable{*place.only_timed == '\0' ? functional_why : place.only_timed}});
    }
  }

  std::vector<Statistic>& list_;
  bool timed_;
};

/// Collects what the rows mean.
class TextVisitor {
 public:
  template <typename Owner, typename Member>
  void visit(const TablePlace& place, const StatisticField<Owner, Member>& row) {
    put(place, row.text);
  }
  template <typename Owner, typename Part>
  void visit(const TablePlace& place, const StatisticPart<Owner, Part>& part) {
    visit_table<Part>(place.below(part));
  }
  template <typename Owner, typename Row>
  void visit(const TablePlace& place, const StatisticRows<Owner, Row>& rows) {
    if (*rows.path != '\0') visit_table<Row>({place.prefix + rows.path + '/', "", "", "", ""});
  }
  template <typename Owner>
  void visit(const TablePlace& place, const StatisticRatio<Owner>& row) {
    put(place, row.text);
  }
  template <typename Table>
  void visit_table(const TablePlace& place) {
    Table::fields([&](const auto&... rows) { (visit(place, rows), ...); });
  }
  std::vector<StatisticInfo> texts;

 private:
  void put(const TablePlace& place, const StatisticText& text) {
    if (!place.prints(text.path)) return;
    texts.push_back({dotted(place.path_of(text.path)), text.unit, text.scope, text.formula, text.sentence});
  }
};

template <typename Table>
std::vector<Statistic> values_of(const Table& table, bool timed) {
  std::vector<Statistic> list;
  ValueVisitor(list, timed).visit_table(table, {});
  return list;
}

}  // namespace

CountedRows::CountedRows(const LaunchStatistics& launch)
    : rows_(values_of(launch, launch.timed)), written_(rows_.size()) {}

void CountedRows::write(StatisticWriter out, std::string_view section) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (written_[i] || !rows_[i].path.starts_with(section)) continue;
    written_[i] = true;
    out.put(rows_[i].path, rows_[i].value);
  }
}

void CountedRows::leave_out(std::string_view section) {
  for (std::size_t i = 0; i < rows_.size(); ++i) written_[i] = written_[i] || rows_[i].path.starts_with(section);
}

std::vector<Statistic> counted_rows(const SmStatistics& sm, bool timed) {
  return values_of(sm, timed);
}

std::vector<Statistic> counted_rows(const PartitionStatistics& partition, bool timed) {
  return values_of(partition, timed);
}

std::vector<StatisticInfo> counted_row_texts() {
  TextVisitor visitor;
  visitor.visit_table<LaunchStatistics>({});
  return visitor.texts;
}

}  // namespace teslasim
