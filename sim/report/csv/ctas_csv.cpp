// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/ctas_csv.h"

#include "sim/base/csv.h"

namespace teslasim {

std::vector<BlockRow> block_rows(const Result& result) {
  std::vector<BlockRow> rows;
  for (std::size_t launch = 0; launch < result.launches.size(); ++launch) {
    const std::vector<SmStatistics>& sms = result.launches[launch].statistics.sms;
    for (std::size_t sm = 0; sm < sms.size(); ++sm) {
      for (const BlockTimes& block : sms[sm].block_times) {
        BlockRow row{result.number_of(launch), block.block, sm, block.slot, sp_cycles(block.begin), {}};
        if (block.end != BlockTimes::unfinished) row.end = sp_cycles(block.end);
        rows.push_back(row);
      }
    }
  }
  return rows;
}

std::string ctas_csv(const Result& result) {
  std::string text = csv_row({"launch", "cta", "sm", "slot", "cycle_begin", "cycle_end"});
  for (const BlockRow& row : block_rows(result)) {
    text += csv_row({std::to_string(row.launch), std::to_string(row.block), std::to_string(row.sm),
                     std::to_string(row.slot), std::to_string(row.begin.count()),
                     row.end ? std::to_string(row.end->count()) : ""});
  }
  return text;
}

std::vector<BlockRow> read_ctas_csv(const std::string& text) {
  const CsvTable table = CsvTable::parse(text);
  std::vector<BlockRow> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    BlockRow row{table.whole(i, "launch"), table.whole(i, "cta"),         table.whole(i, "sm"),
                 table.whole(i, "slot"),   table.whole(i, "cycle_begin"), {}};
    if (!table.text(i, "cycle_end").empty()) row.end = table.whole(i, "cycle_end");
    rows.push_back(row);
  }
  return rows;
}

}  // namespace teslasim
