// SPDX-License-Identifier: Apache-2.0
// Sections 6, 7 and 10: shared memory, global memory, and the picture of the way between them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sim/report/html/html.h"
#include "sim/report/html/lane_pictures.h"
#include "sim/report/html/sections.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

std::string place_of(const FinishedRun& run, const InstructionRow& row) {
  const std::string launch = run.launches() > 1 ? fmt::format("{}: ", row.launch) : "";
  return launch + fmt::format("0x{:04x}  {}", row.line.pc, row.line.text);
}

HtmlTable conflicts(const FinishedRun& run) {
  constexpr std::size_t most_instructions = 60;
  HtmlTable table{{"instruction", "degree", "accesses"}, {}};
  std::size_t instructions = 0;
  for (const InstructionRow& row : run.instructions) {
    if (instructions == most_instructions) break;
    bool any = false;
    for (unsigned degree = 1; degree <= most_conflict_degree; ++degree) {
      if (row.conflicts[degree] == 0) continue;
      any = true;
      table.rows.push_back({place_of(run, row), std::to_string(degree), std::to_string(row.conflicts[degree])});
    }
    instructions += any ? 1 : 0;
  }
  return table;
}

/// How often each bank served a word; the share is that of the passes.
HtmlTable banks(const StatisticTree& launch) {
  HtmlTable table{{"bank", "words", "share_pct"}, {}};
  const StatisticTree& list = launch["shared.bank_accesses"];
  const double passes = launch["shared.accesses_half_warp"].number_or(0) + launch["shared.replays"].number_or(0);
  for (const std::string& bank : list.names()) {
    const double words = list[bank].number_or(0);
    table.rows.push_back({bank, number_text(words, 0), number_text(passes > 0 ? 100 * words / passes : 0, 1)});
  }
  return table;
}

HtmlTable traffic(const FinishedRun& run) {
  HtmlTable table{{"instruction", "warp issues", "requests", "32 B", "64 B", "128 B", "bytes moved", "bytes used",
                   "efficiency", "latency p50 (SP cycles)", "p95 (SP cycles)"},
                  {}};
  const auto text = [](std::uint64_t count) { return std::to_string(count); };
  for (const InstructionRow& row : run.instructions) {
    if (row.bytes == 0) continue;
    const double used = static_cast<double>(row.bytes_used) / static_cast<double>(row.bytes);
    table.rows.push_back({place_of(run, row), text(row.warp_issues), text(row.requests), text(row.transactions_32),
                          text(row.transactions_64), text(row.transactions_128), text(row.bytes), text(row.bytes_used),
                          percent_text(used), row.latency ? text((*row.latency)[1]) : "",
                          row.latency ? text((*row.latency)[2]) : ""});
  }
  return table;
}

struct LatencyBin {
  double from = 0, to = 0, count = 0;
  bool open = false;  ///< holds everything from `from` on
};

/// From the first bin with a transaction to the last. The last bin of all is open above; it is drawn as wide as the
/// others.
std::vector<LatencyBin> latency_bins(const StatisticTree& launch) {
  std::vector<LatencyBin> bins;
  const StatisticTree& histogram = launch["latency.histogram"];
  std::size_t filled = 0;
  constexpr double width = 50;
  for (const std::string& name : histogram.names()) {
    const double from = std::strtod(name.c_str(), nullptr), count = histogram[name].number_or(0);
    if (bins.empty() && count == 0) continue;
    bins.push_back({from, from + width, count, name == histogram.names().back()});
    if (count > 0) filled = bins.size();
  }
  bins.resize(filled);
  return bins;
}

/// The time that `share` of the transactions do not exceed, taken as evenly spread within a bin.
std::pair<double, std::string> percentile(const std::vector<LatencyBin>& bins, double share) {
  double all = 0, seen = 0;
  for (const LatencyBin& bin : bins) all += bin.count;
  for (const LatencyBin& bin : bins) {
    if (bin.count > 0 && seen + bin.count >= share * all) {
      if (bin.open) return {bin.from, fmt::format("≥ {:.0f} ns", bin.from)};
      const double at = bin.from + (bin.to - bin.from) * (share * all - seen) / bin.count;
      return {at, fmt::format("{:.0f} ns", at)};
    }
    seen += bin.count;
  }
  return {};
}

/// Bins, and the marks over them.
HtmlTable latencies(const StatisticTree& launch) {
  HtmlTable table{{"kind", "from_ns", "to_ns", "transactions", "label"}, {}};
  const std::vector<LatencyBin> bins = latency_bins(launch);
  if (bins.empty()) return table;
  for (const LatencyBin& bin : bins) {
    table.rows.push_back({"bin", number_text(bin.from, 0), number_text(bin.to, 0), number_text(bin.count, 0),
                          bin.open ? fmt::format("{:.0f} ns or more", bin.from) : ""});
  }
  for (const auto& [name, share] : {std::pair{"p50", 0.5}, {"p95", 0.95}}) {
    const auto [at, text] = percentile(bins, share);
    const std::string place = number_text(at, 0);
    table.rows.push_back({name, place, place, "", fmt::format("{} {}", name, text)});
  }
  return table;
}

HtmlTable stages(const StatisticTree& launch) {
  HtmlTable table{{"stage", "ns", "order"}, {}};
  const StatisticTree& list = launch["latency.stages_ns"];
  int order = 0;
  for (const std::string& name : list.names()) {
    const std::optional<double> ns = list[name].number();
    if (ns) table.rows.push_back({name, number_text(*ns, 1), std::to_string(order++)});
  }
  return table;
}

HtmlTable partitions(const StatisticTree& launch) {
  HtmlTable table{{"partition", "read_bytes", "write_bytes", "row_hits", "row_misses", "queue_deepest"}, {}};
  const StatisticTree& list = launch["dram.partitions"];
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<HtmlCell> row;
    for (const std::string& name : table.head) row.push_back(list.at(i)[name].text());
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string bytes_text(double bytes) {
  return with_prefix(bytes) + "B";
}

/// A box of the memory chart with up to two lines below its name.
std::string box(double x, double y, std::string_view name, std::string_view first, std::string_view second = "") {
  return fmt::format(
      "<g><rect class=box x=\"{0}\" y=\"{1}\" width=\"140\" height=\"64\" rx=\"6\"/>"
      "<text x=\"{2}\" y=\"{3}\" font-weight=\"700\">{4}</text><text x=\"{2}\" y=\"{5}\">{6}</text>"
      "<text x=\"{2}\" y=\"{7}\">{8}</text></g>\n",
      x, y, x + 10, y + 20, html(name), y + 38, html(first), y + 54, html(second));
}

/// An arrow whose colour goes from grey to red with the use of the path.
std::string arrow(double x1, double y1, double x2, double y2, std::string_view label, double use) {
  const int red = static_cast<int>(120 + 63 * std::clamp(use, 0.0, 1.0));
  const int other = static_cast<int>(130 - 102 * std::clamp(use, 0.0, 1.0));
  return fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"rgb({},{},{})\" stroke-width=\"{}\" "
      "marker-end=\"url(#tip)\"/><text class=label x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
      x1, y1, x2, y2, red, other, other, 2 + 4 * std::clamp(use, 0.0, 1.0), (x1 + x2) / 2, (y1 + y2) / 2 - 6,
      html(label));
}

std::string hit_rate(const StatisticTree& cache) {
  const std::optional<double> rate = cache["hit_rate"].number();
  return rate ? percent_text(*rate) + " hits" : "not used";
}

}  // namespace

std::string shared_section(const FinishedRun& run) {
  const StatisticTree& launch = run.launch(run.longest());
  const double accesses = launch["shared.accesses_half_warp"].number_or(0);
  const std::string pictures = lane_pictures(run, LaneSpace::on_chip);
  if (accesses == 0) return section_of(6, "Shared memory", absent("No instruction touched shared memory.") + pictures);
  const double replays = launch["shared.replays"].number_or(0);
  const Chart chart{"conflicts", "Bank conflicts by instruction",
                    "One row per instruction, one column per number of passes; column 1 is free of conflicts.",
                    conflicts(run)};
  return section_of(6, "Shared memory",
                    paragraph(fmt::format("{} half-warp accesses needed {} passes ({} replays): {} on average.",
                                          number_text(accesses, 0), number_text(accesses + replays, 0),
                                          number_text(replays, 0), number_text(1 + replays / accesses, 2))) +
                        figure_of(chart) +
                        figure_of({"banks", "Words served by each bank",
                                   "Equal bars are good; passes in which few banks serve a word make the others idle.",
                                   banks(launch)}) +
                        pictures);
}

std::string global_section(const FinishedRun& run) {
  const StatisticTree& launch = run.launch(run.longest());
  const double moved = launch["global.bytes"].number_or(0), used = launch["global.bytes_used"].number_or(0);
  std::string body;
  if (moved > 0) {
    body += paragraph(fmt::format("{} moved in {} requests of half-warps for {} used: {} of the bytes were wanted.",
                                  bytes_text(moved), launch["global.requests_half_warp"].text(), bytes_text(used),
                                  percent_text(used / moved)));
  } else {
    body += absent(run.timed() ? "No instruction touched global memory." : "Counted in timing mode only.");
  }
  const HtmlTable table = traffic(run);
  if (!table.rows.empty()) body += scrolled(table);
  body += figure_of({"latency", "How long requests took",
                     "Transactions by their time from issue to the answer; half of them took no longer than p50, 95 % "
                     "no longer than p95 (as if spread evenly within a bar).",
                     latencies(launch)});
  body += figure_of({"stages", "Where a request spends its time",
                     "The mean over all answered requests, stage by stage. What each is: teslasim explain "
                     "memory-stages.",
                     stages(launch)});
  if (const auto hits = launch["dram.row_hit_pct"].number()) {
    body += paragraph(fmt::format("{} % of the transactions found their DRAM row open.", number_text(*hits, 1)));
  }
  body += figure_of({"partitions", "Traffic of each memory partition",
                     "Over the whole launch: equal bars are good, but do not say that each moment was even.",
                     partitions(launch)});
  body += unseen_camping(launch);
  if (const auto camping = launch["dram.camping_pct"].number()) {
    body += paragraph(fmt::format(
        "Camping {} % (0: at each moment all partitions had as many transactions; 100: one had all of them), {} "
        "transactions on average in the partition that had most.",
        number_text(*camping, 1), number_text(launch["dram.fullest_queue_mean"].number_or(0), 1)));
  }
  return section_of(7, "Global memory", body + lane_pictures(run, LaneSpace::device));
}

std::string unseen_camping(const StatisticTree& launch) {
  const double bytes = launch["dram.read_bytes"].number_or(0) + launch["dram.write_bytes"].number_or(0);
  if (bytes == 0 || launch["dram.camping_pct"].number()) return "";
  return paragraph(
      "Whether requests crowded at one memory partition after the other (partition camping) cannot be seen: no series "
      "over time was kept (--no-intervals, or a sum of launches).");
}

std::string memory_chart_section(const FinishedRun& run) {
  if (!run.timed()) return section_of(10, "Memory chart", absent("A functional run has no traffic."));
  const StatisticTree& launch = run.launch(run.longest());
  const auto value = [&launch](const char* name) { return launch[name].number_or(0); };
  const double slots = std::max(value("issue_slots.total"), 1.0);
  const double passes = value("shared.accesses_half_warp") + value("shared.replays");
  const double dram = value("dram.utilisation_pct") / 100.0;
  const double moved = value("global.bytes") + value("local.bytes") + value("texture.bytes");
  const double texture = value("texture.bytes");
  std::string svg =
      "<div class=frame><svg class=picture viewBox=\"0 0 1000 410\" role=img aria-label=\"memory chart\"><defs><marker "
      "id=tip viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"12\" markerHeight=\"12\" "
      "markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
      "<path d=\"M0 0L10 5L0 10z\" fill=\"#888\"/></marker></defs>\n";
  svg += box(10, 170, "SMs", launch["instructions.warp"].text() + " warp instr.",
             percent_text(value("issue_slots.issued") / slots) + " of slots");
  svg += box(260, 10, "Shared memory", number_text(passes, 0) + " passes",
             number_text(value("shared.replays"), 0) + " replays");
  svg += box(260, 90, "Constant caches", hit_rate(launch["caches.constant_l1"]),
             number_text(value("constant.accesses"), 0) + " accesses");
  svg += box(260, 170, "Instruction caches", hit_rate(launch["caches.instruction_l1"]));
  svg += box(260, 250, "Coalescer",
             number_text(value("requests.loads_sent") + value("requests.stores_sent"), 0) + " transactions",
             bytes_text(moved - texture));
  svg += box(260, 330, "Texture units", hit_rate(launch["caches.texture_l1"]), bytes_text(texture));
  svg += box(500, 170, "Crossbar", bytes_text(moved + value("caches.memory.bytes")));
  svg += box(680, 170, "Partitions", number_text(static_cast<double>(launch["dram.partitions"].size()), 0) + " of them",
             "imbalance " + number_text(value("dram.imbalance"), 2));
  svg += box(860, 170, "DRAM", percent_text(dram) + " busy", number_text(value("dram.row_hit_pct"), 1) + " % row hits");
  svg += arrow(150, 185, 258, 45, number_text(value("shared.accesses_half_warp"), 0), passes / slots);
  svg += arrow(150, 193, 258, 122, "", value("constant.accesses") / slots);
  svg += arrow(150, 202, 258, 202, "", 0);
  svg += arrow(150, 211, 258, 278, number_text(value("global.requests_half_warp"), 0), dram);
  svg += arrow(150, 219, 258, 360, "", texture > 0 ? dram : 0);
  svg += arrow(400, 122, 498, 185, "", 0);
  svg += arrow(400, 202, 498, 202, bytes_text(value("caches.memory.bytes")), 0);
  svg += arrow(400, 278, 498, 215, bytes_text(moved - texture), dram);
  svg += arrow(400, 360, 498, 228, texture > 0 ? bytes_text(texture) : "", texture > 0 ? dram : 0);
  svg += arrow(640, 202, 678, 202, "", dram);
  svg += arrow(820, 202, 858, 202, "", dram);
  svg += fmt::format("<text class=label x=\"839\" y=\"160\" text-anchor=\"middle\">{}</text>",
                     bytes_text(value("dram.read_bytes") + value("dram.write_bytes")));
  return section_of(
      10, "Memory chart",
      paragraph("Requests and bytes on their way; the redder and thicker an arrow, the busier the path.") + svg +
          "</svg></div>\n");
}

}  // namespace teslasim
