// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/slot_columns.h"

#include <algorithm>
#include <utility>

namespace teslasim {
namespace {

std::vector<SlotColumn> make_columns() {
  std::vector<SlotReason> order;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (!slot_reasons[i].column.empty()) order.push_back(static_cast<SlotReason>(i));
  }
  std::stable_sort(order.begin(), order.end(), [](SlotReason left, SlotReason right) {
    return std::pair(info(left).group, info(left).rank) < std::pair(info(right).group, info(right).rank);
  });
  std::vector<SlotColumn> columns;
  for (const SlotReason reason : order) {
    const SlotReasonInfo& row = info(reason);
    const auto known = std::find_if(columns.begin(), columns.end(),
                                    [&row](const SlotColumn& column) { return column.name == row.column; });
    if (known == columns.end()) {
      columns.push_back({std::string(row.column), std::string(row.name), {reason}});
      continue;
    }
    known->reasons.push_back(reason);
    known->label = known->label.substr(0, known->label.find('.'));
  }
  return columns;
}

}  // namespace

const std::vector<SlotColumn>& slot_columns() {
  static const std::vector<SlotColumn> columns = make_columns();
  return columns;
}

}  // namespace teslasim
