// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "sim/report/csv/pc_csv.h"
#include "sim/report/csv/stats_csv.h"
#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

TEST(StatsCsv, is_tidy_with_units) {
  const std::string text = stats_csv(test::sample_result());
  EXPECT_TRUE(text.starts_with("launch,kernel,scope,id,stat,value,unit\n"));
  EXPECT_NE(text.find("0,copy,launch,,time.cycles,200,SP cycles\n"), std::string::npos);
  EXPECT_NE(text.find("0,copy,launch,,issue_slots.mem.global,88,slots\n"), std::string::npos);
  EXPECT_NE(text.find("0,copy,sm,1,issue_slots.empty.occupancy,100,slots\n"), std::string::npos);
  EXPECT_NE(text.find("0,copy,partition,0,read_bytes,128,bytes\n"), std::string::npos);
  EXPECT_NE(text.find("0,copy,launch,0,grid,2,blocks\n"), std::string::npos);
  EXPECT_NE(text.find("0,copy,launch,,local.efficiency,,ratio\n"), std::string::npos);
  EXPECT_NE(text.find(",,run,,host.seconds,0.5,s\n"), std::string::npos);
}

TEST(PcCsv, has_one_line_per_instruction_and_all_columns) {
  const std::vector<std::string> rows = lines(pc_csv(test::sample_result()));
  ASSERT_EQ(rows.size(), 4U);
  for (const char* column :
       {"launch,kernel,pc,size,text,src_line,warp_issues,thread_issues,active_lanes_avg,slots_issued,", "stall_mem_tex",
        "stall_barrier", "stall_pipe", "stall_fetch", "blamed_pc,tx32,tx64,tx128,bytes,conflict_deg_1,conflict_deg_2,",
        "conflict_deg_16,divergent,lat_min,lat_p50,lat_p95,lat_max,target"}) {
    EXPECT_NE(rows[0].find(column), std::string::npos) << column;
  }
  EXPECT_TRUE(rows[1].starts_with("0,copy,0x0000,8,\"mov.u32 $r0, g[$r1]\",3,2,64,32.00,2,")) << rows[1];
  EXPECT_NE(rows[2].find(",0x0000,"), std::string::npos) << "blamed producer of the second instruction";
  EXPECT_NE(rows[3].find("\"mov.end.u32 g[$r1], \"\"$r2\"\"\",,2,"), std::string::npos) << rows[3];
}

TEST(PcCsv, every_slot_reason_is_in_exactly_one_column) {
  for (unsigned reason = 0; reason < slot_reason_count; ++reason) {
    if (slot_reasons[reason].views == ReasonViews::B) continue;
    Result result = test::sample_result();
    for (PcStatistics& pc : result.launches[0].statistics.pcs) pc = PcStatistics{};
    result.launches[0].statistics.pcs[0].slots.counts[reason] = 987654;
    const std::string text = pc_csv(result);
    const std::size_t first = text.find(",987654,");
    ASSERT_NE(first, std::string::npos) << slot_reasons[reason].name;
    EXPECT_EQ(text.find(",987654,", first + 1), std::string::npos) << slot_reasons[reason].name;
  }
}

}  // namespace
}  // namespace teslasim
