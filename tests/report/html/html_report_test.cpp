// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "sim/report/html/html.h"
#include "sim/report/html/lane_pictures.h"
#include "sim/report/result/finished_run.h"
#include "sim/report/text/hints.h"
#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

FinishedRun run_of(const Result& result, const std::string& label) {
  FinishedRun run = finished_run(result, label);
  run.configuration = {{"name", "\"Two SMs\"", "two.toml", "nobody"}, {"sm.shared.banks", "16", "--set", ""}};
  return run;
}

/// The page without the libraries, which contain addresses of their own.
std::string own_part(const std::string& page) {
  return page.substr(0, page.find("<footer>"));
}

std::string page_of(const Result& result) {
  return html_report({run_of(result, "copy-run")});
}

TEST(HtmlReport, has_fifteen_sections_in_order) {
  const std::string page = page_of(test::sample_result());
  std::size_t at = 0;
  for (int i = 1; i <= 15; ++i) {
    const std::size_t found = page.find("<section id=s" + std::to_string(i) + ">", at);
    ASSERT_NE(found, std::string::npos) << i;
    at = found;
  }
}

TEST(HtmlReport, a_run_that_did_not_finish_is_not_faster) {
  const auto page = [](const Result& second) {
    return own_part(html_report({run_of(test::sample_result(), "first"), run_of(second, "second")}));
  };
  EXPECT_THAT(page(test::sample_result()), HasSubstr("second against first: 1.00"));
  EXPECT_THAT(page(test::cut_off()), HasSubstr("second did not finish (limit)."));
  EXPECT_THAT(page(test::cut_off()), Not(HasSubstr("second against first")));
  Result sample = test::sample_result();
  sample.launches[0].sampled = true;
  EXPECT_THAT(page(sample), HasSubstr("second ran some blocks of its grid, first all."));
}

TEST(HtmlReport, refers_to_nothing_outside) {
  const std::string page = page_of(test::sample_result());
  const std::regex outside("<(script|img|link|iframe|object|embed)[^>]*(src|href)=\"?(http|//|/|\\.)");
  EXPECT_FALSE(std::regex_search(own_part(page), outside));
  EXPECT_THAT(page, Not(HasSubstr("sourceMappingURL")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
}

TEST(HtmlReport, stays_below_a_megabyte_and_a_half) {
  EXPECT_LT(page_of(test::sample_result()).size(), 1'500'000U);
}

TEST(HtmlReport, long_listings_are_one_element_and_complete) {
  Result result = test::sample_result();
  constexpr std::uint32_t many = 10'000;
  const ListingLine line = result.launches[0].listing[0];
  for (std::uint32_t i = 3; i < many; ++i) {
    result.launches[0].listing.push_back(line);
    result.launches[0].listing.back().pc = 8 * i;
    result.launches[0].listing.back().target = 8 * (i - 1);
  }
  const std::string page = own_part(page_of(result));
  EXPECT_LT(page.size(), 1'000'000U);
  EXPECT_LT(std::count(page.begin(), page.end(), '<'), 10'000);  // begins and ends of elements
  EXPECT_THAT(page, HasSubstr("\n0x13878\t8\t3\t"));             // the last one
  EXPECT_THAT(page, HasSubstr("all 10000 instructions as text"));
}

TEST(HtmlReport, text_of_the_user_is_escaped) {
  Result result = test::sample_result();
  result.launches[0].listing[0].text = "<script>alert(1)</script>";
  const std::string page = own_part(page_of(result));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert"));
}

TEST(HtmlReport, every_chart_has_its_specification_and_its_data) {
  const std::string page = own_part(page_of(test::sample_result()));
  const std::regex figure("data-chart=\"([a-z]+)\"");
  int charts = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), figure), end; it != end; ++it, ++charts) {
    EXPECT_FALSE(report_asset("charts/" + (*it)[1].str() + ".vl.json").empty()) << (*it)[1];
  }
  EXPECT_GE(charts, 8);
  EXPECT_THAT(page, HasSubstr("<td>mem.global<td class=n>88<td class=n>44"));
}

TEST(HtmlReport, blocks_are_bars_of_one_sm) {
  Result result = test::sample_result();
  result.launches[0].statistics.sms[0].block_times[1].end = BlockTimes::unfinished;
  const std::string page = own_part(page_of(result));
  EXPECT_THAT(page, HasSubstr("data-chart=\"blocks\""));
  EXPECT_THAT(page,
              HasSubstr("<tr><td class=n>0<td class=n>0<td class=n>0<td class=n>0<td class=n>0<td class=n>180\n"));
  // The one that had not finished ends with the launch.
  EXPECT_THAT(page,
              HasSubstr("<tr><td class=n>0<td class=n>1<td class=n>1<td class=n>0<td class=n>8<td class=n>200\n"));
  EXPECT_THAT(page, HasSubstr("\"block_sms\":[0]"));
}

TEST(HtmlReport, no_more_blocks_than_a_chart_can_show) {
  Result result = test::sample_result();
  result.launches[0].statistics.sms.resize(3);
  SmStatistics& sm = result.launches[0].statistics.sms[0];
  sm.block_times.assign(700, {1, 0, 0, 10});
  for (int i : {1, 2}) result.launches[0].statistics.sms[static_cast<std::size_t>(i)].block_times = sm.block_times;
  const std::string page = own_part(page_of(result));
  EXPECT_THAT(page, HasSubstr("700 blocks"));
  EXPECT_THAT(page, HasSubstr("\"block_sms\":[0]"));
  result.launches[0].statistics.sms[1].block_times.resize(300);
  EXPECT_THAT(own_part(page_of(result)), HasSubstr("\"block_sms\":[0,1]"));
}

TEST(HtmlReport, latencies_have_their_percentiles) {
  Result result = test::sample_result();
  RequestLatency& latency = result.launches[0].statistics.request_latency;
  latency.histogram = {};
  latency.histogram[6] = 80;
  latency.histogram[9] = 20;
  latency.answers = 100;
  const std::string page = own_part(page_of(result));
  // 50 of the 80 in 300 to 350 ns; 15 of the 20 in 450 to 500 ns.
  EXPECT_THAT(page, HasSubstr("<td>p50<td class=n>331<td class=n>331"));
  EXPECT_THAT(page, HasSubstr("<td>p95<td class=n>488<td class=n>488"));
  EXPECT_THAT(page, HasSubstr("<td>bin<td class=n>300<td class=n>350<td class=n>80"));
  EXPECT_THAT(page, Not(HasSubstr("<td>bin<td class=n>250")));
}

TEST(HtmlReport, the_last_bar_of_latencies_says_that_it_is_open) {
  Result result = test::sample_result();
  RequestLatency& latency = result.launches[0].statistics.request_latency;
  latency.histogram = {};
  latency.histogram.front() = latency.histogram.back() = 50;
  latency.answers = 100;
  const std::string page = own_part(page_of(result));
  EXPECT_THAT(page, HasSubstr("<td>bin<td class=n>0<td class=n>50<td class=n>50<td>\n"));
  EXPECT_THAT(page, HasSubstr("<td class=n>50<td>1550 ns or more\n"));
}

TEST(HtmlReport, no_interval_moved_more_than_memory_can) {
  FinishedRun run = run_of(test::sample_result(), "copy-run");
  const double mhz = run.statistics["machine.shader_mhz"].number_or(1);
  run.configuration.push_back({"derived.peak_gbs_dram", std::to_string(5 * mhz * 1e-3), "", ""});
  const auto moved = [](unsigned begin, unsigned end, std::uint64_t bytes) {
    IntervalRow row;
    row.begin = SpCycle{begin};
    row.end = SpCycle{end};
    row.memory.emplace();
    row.memory->read_bytes = bytes;
    return row;
  };
  run.intervals = {moved(0, 100, 200), moved(100, 200, 600), moved(200, 300, 350), moved(300, 310, 100)};
  const std::string page = own_part(html_report({run}));
  const std::string table = page.substr(page.find("<th>GB/s"));
  // 100 of 600 bytes go on behind it, where 50 of the last 100 came from too.
  for (const auto& [begin, bytes] : {std::pair{0, 2.0}, {100, 5.0}, {200, 5.0}, {300, 5.0}}) {
    const std::string row = table.substr(table.find("<tr><td class=n>" + std::to_string(begin) + "<"));
    EXPECT_THAT(row.substr(0, row.find('\n')), HasSubstr("<td class=n>" + number_text(bytes * mhz * 1e-3, 2) + "<"))
        << begin;
  }
}

TEST(HtmlReport, texture_units_are_as_busy_as_the_step_that_takes_longest) {
  Result result = test::sample_result();
  LaunchStatistics& launch = result.launches[0].statistics;
  launch.duration = 1'000'000'000;  // 1000 core cycles of 1 ns, of two units
  launch.textures.address_cycles = 500;
  launch.textures.filter_cycles = 400;
  launch.textures.l1.accesses = 1600;
  FinishedRun run = run_of(result, "copy-run");
  run.configuration = {
      {"clock.core_mhz", "1000.0", "", ""}, {"gpu.tpcs", "2", "", ""}, {"tpc.texture.lines_per_cycle", "4", "", ""}};
  EXPECT_THAT(own_part(html_report({run})), HasSubstr("<tr><td>texture units<td class=n>25<td"));
  launch.textures.l1.accesses = 7200;
  FinishedRun looking_up = run_of(result, "copy-run");
  looking_up.configuration = run.configuration;
  EXPECT_THAT(own_part(html_report({looking_up})), HasSubstr("<tr><td>texture units<td class=n>90<td"));
}

TEST(HtmlReport, says_whether_partitions_were_even_at_each_moment) {
  // 12 transactions wait at the first partition, later 6 at the second, in 100 memory cycles.
  EXPECT_THAT(own_part(page_of(test::sample_result())), HasSubstr("<p>Camping 100 % "));
  EXPECT_THAT(own_part(page_of(test::sample_result())), HasSubstr("0.2 transactions on average in the partition"));
  Result without = test::sample_result();
  without.launches[0].statistics.intervals = {};
  const std::string page = own_part(page_of(without));
  EXPECT_THAT(page, Not(HasSubstr("<p>Camping")));
  const std::string unseen = "(partition camping) cannot be seen";
  EXPECT_LT(page.find(unseen), page.find("<section id=s3>")) << "in the verdict";
  EXPECT_GT(page.rfind(unseen), page.find("<section id=s7>")) << "and beside the traffic of partitions";
  EXPECT_THAT(own_part(page_of(test::sample_result())), Not(HasSubstr(unseen)));
}

TEST(HtmlReport, banks_stand_beside_the_passes) {
  // 3 accesses and 4 replays are 7 passes.
  EXPECT_THAT(own_part(page_of(test::sample_result())), HasSubstr("<tr><td class=n>0<td class=n>7<td class=n>100\n"));
}

TEST(HtmlReport, says_on_top_that_a_run_did_not_finish) {
  Result result = test::sample_result();
  for (const RunStatus status : {RunStatus::interrupted, RunStatus::stuck, RunStatus::kernel_error, RunStatus::limit}) {
    result.status = result.launches[0].statistics.status = status;
    result.launches[0].statistics.ctas_done = 1;
    const std::string page = own_part(page_of(result));
    const std::size_t banner = page.find("class=banner");
    ASSERT_NE(banner, std::string::npos);
    EXPECT_LT(banner, page.find("<section id=s1>"));
    EXPECT_THAT(page, HasSubstr("1 of 2 blocks"));
  }
  EXPECT_THAT(own_part(page_of(test::sample_result())), Not(HasSubstr("class=banner")));
}

TEST(HtmlReport, says_on_top_that_a_run_was_sampled) {
  Result result = test::sample_result();
  result.launches[0].sampled = true;
  EXPECT_THAT(own_part(page_of(result)), HasSubstr("Sampled"));
  EXPECT_THAT(own_part(page_of(result)), HasSubstr("every number is of these alone")) << "nothing is extrapolated";
}

TEST(HtmlReport, says_what_is_extrapolated_from_a_sample_of_blocks) {
  Result result = test::block_sample();
  EXPECT_THAT(own_part(page_of(result)), HasSubstr("Sampled: 2 of 10 blocks of copy ran in time"));
  EXPECT_THAT(own_part(page_of(result)), HasSubstr("0.0007716 ms"));
  EXPECT_THAT(own_part(page_of(result)), HasSubstr(">sampled</span>"));
  EXPECT_THAT(own_part(page_of(result)), Not(HasSubstr("steady")));
  result.launches[0].sample->steady = false;
  EXPECT_THAT(own_part(page_of(result)), HasSubstr("but in no steady state"));
}

TEST(HtmlReport, works_with_statistics_alone) {
  FinishedRun run;
  run.statistics = statistic_tree(test::sample_result());
  run.label = "bare";
  EXPECT_THAT(html_report({run}), HasSubstr("no pc.csv"));
}

TEST(HtmlReport, shows_the_warnings_of_the_run) {
  FinishedRun run = run_of(test::sample_result(), "warned");
  run.identity = RunIdentity{{"k.asm"}, "0.1.0", "2026-01-01T00:00:00Z", {}, {{"warning", "X", "warning[X]: <odd>"}}};
  EXPECT_THAT(own_part(html_report({run})), HasSubstr("warning[X]: &lt;odd&gt;"));
}

TEST(HtmlReport, inputs_of_models_have_their_origin) {
  Result result = test::sample_result();
  result.launches[0].predictions[0].inputs = {
      {"banks", 16, "", "banks", InputOrigin::configuration, "sm.shared.banks"}};
  EXPECT_THAT(own_part(page_of(result)), HasSubstr("<td>banks<td>configuration<td>sm.shared.banks"));
}

TEST(HtmlReport, the_blocks_are_those_of_the_longest_launch_by_its_number) {
  Result result = test::sample_result();
  result.launches[0].index = 7;  // others before it stand as a sum
  EXPECT_THAT(own_part(page_of(result)), HasSubstr("data-chart=\"blocks\""));
  EXPECT_THAT(own_part(page_of(result)), HasSubstr("data-chart=\"sms\""));
}

TEST(HtmlReport, waterfall_goes_from_one_time_to_the_other) {
  Result slow = test::sample_result();
  slow.launches[0].statistics.duration *= 2;
  const std::string page = own_part(html_report({run_of(slow, "slow"), run_of(test::sample_result(), "fast")}));
  EXPECT_THAT(page, HasSubstr("data-chart=\"waterfall\""));
  EXPECT_THAT(page, HasSubstr("fast against slow: 2.00× faster"));
  // Half of the 154.321 ns saved are those of the SM without a block, then 88 of 200 slots waited for memory.
  EXPECT_THAT(page,
              HasSubstr("<tr><td>empty.occupancy<td class=n>0.0003086<td class=n>0.0002315<td class=n>-0.00007716"));
  EXPECT_THAT(page, HasSubstr("<tr><td>mem.global<td class=n>0.0002315<td class=n>0.0001636<td class=n>-0.00006790"));
}

TEST(HtmlReport, two_runs_open_with_the_comparison) {
  Result other = test::sample_result();
  other.status = other.launches[0].statistics.status = RunStatus::interrupted;
  const std::string page = own_part(html_report({run_of(test::sample_result(), "before"), run_of(other, "after")}));
  EXPECT_THAT(page, HasSubstr("<h1>before against after</h1>"));
  EXPECT_THAT(page, HasSubstr("<nav aria-label=sections><a href=\"#s0\">Compare</a><a href=\"#s1\">"));
  EXPECT_EQ(page.find("<section"), page.find("<section id=s0>"));
  EXPECT_THAT(page, Not(HasSubstr("s13")));
  // That the second run is not whole is said before its numbers.
  EXPECT_LT(page.find("About after:</p>\n<p class=banner"), page.find("data-chart=\"waterfall\""));
}

TEST(HtmlReport, shares_are_rounded_once) {
  Result result = test::sample_result();
  PerReason<>& slots = result.launches[0].statistics.slots;
  slots = {};
  slots[SlotReason::issued] = 193'108;
  slots[SlotReason::sync_barrier] = 6'892;  // 3.446 %: 3.45 in the table, which is no reason to say 3.5
  const std::string page = own_part(page_of(result));
  EXPECT_THAT(page, HasSubstr("sync.barrier 3.4 %"));
  EXPECT_THAT(page, Not(HasSubstr("sync.barrier 3.5 %")));
}

TEST(HtmlReport, verdict_names_rule_evidence_and_gain) {
  const std::string page = own_part(page_of(test::sample_result()));
  EXPECT_THAT(page, HasSubstr("data-rule=\"grid-size\""));
  EXPECT_THAT(page, HasSubstr("<b>SMs have no block to run</b>"));
  EXPECT_THAT(page, HasSubstr("2 blocks, 8 at a time on each SM"));
  EXPECT_THAT(page, HasSubstr("<p>Try: use more blocks, in a multiple of what the machine holds</p>"));
  EXPECT_THAT(page, HasSubstr("at most 2.00× faster"));
  EXPECT_EQ(page.find("data-rule=\"grid-size\""), page.rfind("data-rule=\"grid-size\"")) << "one card per topic";
}

TEST(Hints, say_the_same_about_counters_and_about_their_statistics) {
  const Result result = test::sample_result();
  const std::vector<Hint> counters = hints_for(statistics_in(result.launches[0].statistics));
  const StatisticTree statistics = statistic_tree(result);
  const StatisticTree& launch = statistics["launches"].at(0);
  const std::vector<Hint> tree = hints_for([&launch](std::string_view name) { return launch[name].number(); });
  ASSERT_EQ(counters.size(), tree.size());
  ASSERT_FALSE(tree.empty());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    EXPECT_EQ(counters[i].topic, tree[i].topic);
    EXPECT_DOUBLE_EQ(counters[i].share, tree[i].share);
    EXPECT_EQ(counters[i].evidence, tree[i].evidence);
  }
}

TEST(Hints, rules_name_statistics_that_exist) {
  const StatisticTree statistics = statistic_tree(test::sample_result());
  const StatisticTree& launch = statistics["launches"].at(0);
  for (const HintRule& rule : hint_rules()) {
    for (const std::string_view reason : rule.reasons) {
      EXPECT_TRUE(reason.empty() || launch["issue_slots"][reason].number()) << rule.topic << ' ' << reason;
    }
    std::vector<std::string_view> names{rule.efficiency, "time.cycles", "time.drain_cycles"};
    for (const HintCondition& condition : rule.conditions) {
      names.push_back(condition.left);
      names.push_back(condition.right);
    }
    for (const std::string_view name : names) {
      EXPECT_TRUE(name.empty() || launch[name].number()) << rule.topic << ' ' << name;
    }
    const std::string evidence(rule.evidence);
    const std::regex named("\\{([^}]+)\\}");
    for (std::sregex_iterator it(evidence.begin(), evidence.end(), named), end; it != end; ++it) {
      EXPECT_TRUE(launch[(*it)[1].str()].number()) << rule.topic << ' ' << (*it)[1];
    }
  }
}

TEST(Html, writes_bytes_as_letters) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xff\xfe\xfd!"), "//79IQ==");
}

TEST(Html, lines_end_where_their_cells_end) {
  EXPECT_EQ(lines_of({{"a", "b", "c"}, {{"1", "", "<"}, {"2", "", ""}}}, "id=x"),
            "<pre class=lines id=x>a\tb\tc\n1\t\t&lt;\n2\n</pre>\n");
}

LaneRecord strided(unsigned stride) {
  LaneRecord record;
  record.pc = 0xa8;
  record.text = "mov.u32 $r3, s[$ofs2]";
  record.lanes = all_lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) record.address[lane] = 4 * stride * lane;
  record.passes = {stride == 1 ? 1U : 2U, stride == 1 ? 1U : 2U};
  return record;
}

TEST(LanePictures, mark_conflicts_in_text_and_picture) {
  EXPECT_THAT(lane_text(strided(1)), Not(HasSubstr("!")));
  const std::string text = lane_text(strided(2));
  EXPECT_THAT(text, HasSubstr("2 + 2 passes"));
  EXPECT_THAT(text, HasSubstr("  bank  0!  2!"));
  FinishedRun run = run_of(test::sample_result(), "lanes");
  run.lanes = {{strided(2)}, 0};
  EXPECT_THAT(own_part(html_report({run})),
              HasSubstr("lane 1: address 0x8, bank 2; lane 1 and lane 9: different words in bank 2"));
}

}  // namespace
}  // namespace teslasim
