// SPDX-License-Identifier: Apache-2.0
// Sections 1 to 5: what the run was, what to do, how close to the peaks, where the slots went, occupancy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/report/html/html.h"
#include "sim/report/html/sections.h"
#include "sim/report/text/format.h"
#include "sim/report/text/hints.h"

namespace teslasim {
namespace {

std::string command_line(const FinishedRun& run) {
  std::string text = "teslasim run";
  if (!run.identity) return text;
  for (const std::string& word : run.identity->arguments) {
    text += ' ' + (word.find_first_of(" '\"$") == std::string::npos ? word : '\'' + word + '\'');
  }
  return text;
}

std::string diagnostics_of(const FinishedRun& run) {
  std::string text;
  if (!run.identity) return text;
  for (const RunNote& note : run.identity->notes) text += "<li><pre>" + html(note.text) + "</pre>";
  return text.empty() ? "" : "<ul class=diagnostics>" + text + "</ul>\n";
}

struct Unit {
  const char* name;
  double percent;
  double practical;  ///< what the best code is known to reach, in percent of the peak
};

/// Aligned copies reach 74 of 86.4 GB/s on an 8800 GTX and 120 of 141.6 GB/s on a GTX 280 (CUDA C Best Practices Guide
/// 4.2); the rest goes to refresh, turns between reading and writing, and rows.
constexpr double practical_memory = 85.0;

/// Of the steps of the texture units, the one that took most of the core cycles: addresses, look-ups of lines, filter.
double texture_use(const FinishedRun& run, const StatisticTree& launch) {
  const auto counted = [&launch](const char* name) { return launch[name].number_or(0); };
  const auto configured = [&run](const char* key) { return configured_number(run.configuration, key); };
  const double cycles = counted("time.ms") * 1e3 * configured("clock.core_mhz") * configured("gpu.tpcs");
  const double at_once = configured("tpc.texture.lines_per_cycle");
  if (cycles <= 0.0 || at_once <= 0.0) return 0.0;
  return 100.0 *
         std::max({counted("texture_units.address_cycles"), counted("texture_units.filter_cycles"),
                   counted("caches.texture_l1.accesses") / at_once}) /
         cycles;
}

std::vector<Unit> units_of(const FinishedRun& run, const StatisticTree& launch) {
  const double slots = launch["issue_slots.total"].number_or(0);
  const auto of_slots = [slots](double part) { return slots > 0 ? 100.0 * part / slots : 0.0; };
  const double passes = launch["shared.accesses_half_warp"].number_or(0) + launch["shared.replays"].number_or(0);
  const double constants = launch["constant.accesses"].number_or(0) + launch["constant.replays"].number_or(0);
  std::vector<Unit> units{{"issue", of_slots(launch["issue_slots.issued"].number_or(0)), 100},
                          {"SP", launch["units.mad.utilisation_pct"].number_or(0), 100},
                          {"SFU", launch["units.sfu.utilisation_pct"].number_or(0), 100},
                          {"DP", launch["units.dp.utilisation_pct"].number_or(0), 100},
                          {"shared memory", of_slots(passes), 100},
                          {"constant memory", of_slots(constants), 100},
                          {"texture units", texture_use(run, launch), 100},
                          {"DRAM", launch["dram.utilisation_pct"].number_or(0), practical_memory}};
  return units;
}

/// One row per reason of a view with its share.
HtmlTable stack_of(const FinishedRun& run, const char* view) {
  HtmlTable table{{"launch", "reason", "count", "pct", "order"}, {}};
  constexpr std::size_t most = 40;
  for (std::size_t i = 0; i < std::min(run.launches(), most); ++i) {
    const StatisticTree& counts = run.launch(i)[view];
    const double total = counts["total"].number_or(0);
    int order = 0;
    for (const std::string& name : counts.names()) {
      const double count = counts[name].number_or(0);
      ++order;
      if (name == "total" || name == "why" || count == 0 || total == 0) continue;
      table.rows.push_back({fmt::format("{} {}", i, run.launch(i)["kernel"].text()), name, number_text(count, 0),
                            number_text(100 * count / total, 2), std::to_string(order)});
    }
  }
  return table;
}

/// "wait.mem.global" has the colour of "mem.global".
std::string_view color_of_name(std::string_view name) {
  if (name.starts_with("wait.")) name.remove_prefix(5);
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (slot_reasons[i].name == name) return color_of(static_cast<SlotReason>(i));
  }
  return "#90a4ae";
}

std::string plain_bars(const HtmlTable& stack) {
  std::string text;
  for (std::size_t i = 0; i < stack.rows.size();) {
    const std::string launch = stack.rows[i][0].text;
    std::vector<BarPart> parts;
    double total = 0;
    for (; i < stack.rows.size() && stack.rows[i][0].text == launch; ++i) {
      // From the counts: the shares in the table are rounded, and would be again.
      parts.push_back({stack.rows[i][1].text, std::strtod(stack.rows[i][2].text.c_str(), nullptr),
                       color_of_name(stack.rows[i][1].text)});
      total += parts.back().share;
    }
    for (BarPart& part : parts) part.share /= total;
    text += stacked_bar(parts, launch);
  }
  return text;
}

/// Inputs of the occupancy model by name.
std::map<std::string, double> occupancy_inputs(const std::vector<Prediction>& predictions) {
  std::map<std::string, double> inputs;
  for (const Prediction& prediction : predictions) {
    if (prediction.model != "occupancy") continue;
    for (const PredictionInput& input : prediction.inputs) inputs[input.name] = input.value;
  }
  return inputs;
}

/// What each resource alone admits, from the terms of the occupancy model.
HtmlTable limiters(const std::vector<Prediction>& predictions, const std::string& limiter) {
  constexpr std::string_view prefix = "blocks_by_";
  HtmlTable table{{"resource", "blocks per SM", ""}, {}};
  for (const Prediction& prediction : predictions) {
    if (prediction.model != "occupancy") continue;
    for (const PredictionTerm& term : prediction.terms) {
      if (!term.name.starts_with(prefix) || term.name.ends_with("_unrounded")) continue;
      const std::string resource = term.name.substr(prefix.size());
      table.rows.push_back({resource, number_text(term.value, 0), resource == limiter ? "limits" : ""});
    }
  }
  return table;
}

double rounded_up(double value, double unit) {
  return unit > 0 ? std::ceil(value / unit) * unit : value;
}

/// Resident warps by the rule of the CUDA Programming Guide (appendix F): whole blocks, as many as each resource
/// admits.
double resident_warps(const std::map<std::string, double>& in, double threads, double registers, double shared) {
  const auto of = [&in](const char* name) { return in.contains(name) ? in.at(name) : 0.0; };
  const double warps = std::ceil(threads / 32.0);
  if (warps == 0) return 0;
  const double warp_registers = rounded_up(warps, of("warp_granularity")) * 32.0 * registers;
  const double registers_each = rounded_up(warp_registers, of("register_unit"));
  const double shared_each = rounded_up(shared, of("shared_unit"));
  double blocks = std::min(of("max_blocks_per_sm"), std::floor(of("max_warps_per_sm") / warps));
  if (registers_each > 0) blocks = std::min(blocks, std::floor(of("registers_per_sm") / registers_each));
  if (shared_each > 0) blocks = std::min(blocks, std::floor(of("shared_bytes_per_sm") / shared_each));
  return blocks * warps;
}

HtmlTable occupancy_curves(const std::map<std::string, double>& in) {
  HtmlTable table{{"resource", "value", "warps", "here"}, {}};
  const auto of = [&in](const char* name) { return in.contains(name) ? in.at(name) : 0.0; };
  const double threads = of("threads_per_block"), registers = of("registers_per_thread"),
               shared = of("shared_bytes_per_block");
  const auto add = [&](const char* resource, double value, double warps, bool here) {
    table.rows.push_back({resource, number_text(value), number_text(warps), here ? "1" : "0"});
  };
  for (double t = 32; t <= 512; t += 32) add("threads per block", t, resident_warps(in, t, registers, shared), false);
  for (double r = 1; r <= 64; r += 1) add("registers per thread", r, resident_warps(in, threads, r, shared), false);
  for (double s = 256; s <= of("shared_bytes_per_sm"); s += 256) {
    add("shared bytes per block", s, resident_warps(in, threads, registers, s), false);
  }
  const double here = resident_warps(in, threads, registers, shared);
  add("threads per block", threads, here, true);
  add("registers per thread", registers, here, true);
  add("shared bytes per block", shared, here, true);
  return table;
}

/// What the launches were sampled by, in a sentence; empty when they were not.
std::string sample_sentence(const FinishedRun& run) {
  bool some = false;
  for (std::size_t i = 0; i < run.launches(); ++i) {
    const StatisticTree& launch = run.launch(i);
    const StatisticTree& sample = launch["sample"];
    if (sample.kind() != StatisticTree::Kind::object) {
      some = some || launch["sampled"].text() == "true";
      continue;
    }
    return fmt::format(
        " Sampled: {} of {} blocks of {} ran in time, the others by function. The time of the launch is extrapolated "
        "({} ±{} at 95 %{}); every other number is of the timed blocks alone.",
        sample["timed_blocks"].text(),
        number_text(sample["timed_blocks"].number_or(0) + sample["function_blocks"].number_or(0)),
        launch["kernel"].text(), milliseconds(sample["ms"].number_or(0)), milliseconds(sample["ms_bound"].number_or(0)),
        sample["steady"].text() == "true" ? "" : ", but in no steady state");
  }
  return some ? " Sampled: a part of the blocks or launches was simulated in time; every number is of these alone."
              : "";
}

/// "3 of 8": those that ran in time and those by function.
std::string blocks_of(const StatisticTree& launch) {
  const StatisticTree& sample = launch["sample"];
  if (sample.kind() != StatisticTree::Kind::object)
    return fmt::format("{} of {}", launch["ctas.done"].text(), launch["ctas.total"].text());
  const double done = launch["ctas.done"].number_or(0) + sample["function_blocks"].number_or(0);
  return fmt::format("{} of {}", number_text(done),
                     number_text(launch["grid"].at(0).number_or(0) * launch["grid"].at(1).number_or(0)));
}

}  // namespace

std::string banner_of(const FinishedRun& run) {
  const std::string status = run.statistics["status"].text();
  const StatisticTree& last = run.launch(run.launches() == 0 ? 0 : run.launches() - 1);
  std::string text;
  if (status != "ok") {
    text = fmt::format("This run did not finish: status \"{}\". ", status);
    if (status == "interrupted") text = "This run was interrupted. ";
    if (status == "stuck") text = "This run is stuck: its kernel can never finish. ";
    if (status == "kernel_error") text = "This run ended with an error of its kernel. ";
    if (status == "limit") text = "This run was stopped at a limit that was asked for. ";
    text += fmt::format("{} blocks of the last launch were done; all numbers are those up to there.", blocks_of(last));
  }
  text += sample_sentence(run);
  if (!run.timed()) text += " Functional run: results and counts, no time.";
  return text.empty() ? "" : "<p class=banner role=alert>" + html(text) + "</p>\n";
}

std::string header_section(const FinishedRun& run) {
  std::string kernels, badges;
  for (std::size_t i = 0; i < std::min<std::size_t>(run.launches(), 3); ++i) {
    const StatisticTree& launch = run.launch(i);
    kernels += fmt::format("{}{} {}×{} blocks × {} threads", i == 0 ? "" : ", ", launch["kernel"].text(),
                           launch["grid"].at(0).text(), launch["grid"].at(1).text(),
                           number_text(launch["block"].at(0).number_or(0) * launch["block"].at(1).number_or(1) *
                                       launch["block"].at(2).number_or(1)));
  }
  if (run.launches() > 3) kernels += fmt::format(" and {} more", run.launches() - 3);
  const auto badge = [&badges](std::string_view text, bool bad) {
    badges += fmt::format("<span class=\"badge{}\">{}</span>", bad ? " bad" : "", html(text));
  };
  const std::string status = run.statistics["status"].text();
  badge("status " + status, status != "ok");
  if (run.timed()) badge(milliseconds(run.total_ms()), false);
  const StatisticTree& outputs = run.launch(run.launches() - 1)["outputs.ok"];
  badge(outputs.text().empty()     ? "outputs not checked"
        : outputs.text() == "true" ? "outputs OK"
                                   : "outputs WRONG",
        outputs.text() == "false");
  for (std::size_t i = 0; i < run.launches(); ++i) {
    if (run.launch(i)["sampled"].text() != "true") continue;
    badge("sampled", true);
    break;
  }
  if (run.statistics["machine.preset"].text().empty()) badge("not a preset: outside the validated range", true);
  const std::string command = command_line(run);
  return banner_of(run) +
         section_of(1, "Run " + run.label,
                    fmt::format("<p><b>{}</b> on {} ({}, {} SMs)</p><p>{}</p>"
                                "<p><code>{}</code> <button data-copy=\"{}\">copy</button></p>"
                                "<p class=soft>digest <code>{}</code>, teslasim {}, {}</p>{}",
                                html(kernels), html(run.statistics["machine.name"].text()),
                                html(run.statistics["machine.arch"].text()), html(run.statistics["machine.sms"].text()),
                                badges, html(command), html(command), html(run.statistics["digest"].text()),
                                html(run.identity ? run.identity->version : ""),
                                html(run.identity ? run.identity->started : ""), diagnostics_of(run)));
}

std::string verdict_section(const FinishedRun& run) {
  if (!run.timed()) return section_of(2, "Verdict", absent("A functional run has no slots to judge."));
  const StatisticTree& launch = run.launch(run.longest());
  const std::vector<Hint> hints = hints_for([&launch](std::string_view name) { return launch[name].number(); });
  std::string cards, others;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    const Hint& hint = hints[i];
    const std::size_t colon = hint.text.find(": ");
    const std::string_view finding = hint.text.substr(0, colon);
    const std::string_view remedy = colon == std::string_view::npos ? "" : hint.text.substr(colon + 2);
    if (i >= 3) {
      others +=
          fmt::format("<li data-rule=\"{}\">{} ({} of slots)", hint.topic, html(finding), percent_text(hint.share));
      continue;
    }
    cards += fmt::format(
        "<div class=card data-rule=\"{}\"><div class=evidence>{} of slots</div><p><b>{}</b></p><p>{}</p>"
        "<p>Try: {}</p><p class=gain>If these slots vanished: at most {:.2f}× faster. "
        "<code>teslasim explain {}</code></p></div>\n",
        hint.topic, percent_text(hint.share), html(finding), html(hint.evidence), html(remedy), hint.gain(),
        hint.topic);
  }
  const std::string unseen = unseen_camping(launch);
  if (cards.empty())
    return section_of(2, "Verdict", paragraph("Nothing stands out: no rule applies to this launch.") + unseen);
  std::string body =
      run.launches() > 1
          ? paragraph(fmt::format("About launch {}, the longest: {}.", run.longest(), launch["kernel"].text()))
          : "";
  body += "<div class=cards>" + cards + "</div>\n";
  if (!others.empty()) body += "<p>Smaller:</p><ul>" + others + "</ul>\n";
  return section_of(2, "Verdict", body + unseen);
}

std::string speed_of_light_section(const FinishedRun& run) {
  if (!run.timed()) return section_of(3, "Speed of light", absent("A functional run has no time."));
  Chart chart{"speed",
              "How much of each unit's peak was used",
              "Bars: this launch; orange ticks: what the best code can reach; grey ticks: the peak.",
              {{"unit", "percent", "practical", "theoretical"}, {}}};
  for (const Unit& unit : units_of(run, run.launch(run.longest()))) {
    chart.data.rows.push_back({unit.name, number_text(unit.percent, 1), number_text(unit.practical, 0), "100"});
  }
  return section_of(3, "Speed of light", figure_of(chart));
}

std::string slots_section(const FinishedRun& run) {
  if (!run.timed()) return section_of(4, "Where the issue slots went", absent("A functional run has no slots."));
  const HtmlTable slots = stack_of(run, "issue_slots");
  const Chart chart{"slots", "Issue slots by reason",
                    "Every issue slot of every SM is in one part; click a reason to see its instructions.", slots};
  const Chart warps{"warps", "Warp cycles by state",
                    "Every cycle of every resident warp: what the warps themselves did.", stack_of(run, "warp_cycles")};
  return section_of(4, "Where the issue slots went", plain_bars(slots) + figure_of(chart) + figure_of(warps));
}

std::string occupancy_section(const FinishedRun& run) {
  const StatisticTree& launch = run.launch(run.longest());
  const StatisticTree& occupancy = launch["occupancy"];
  HtmlTable table{{"", "warps per SM"}, {}};
  table.rows.push_back({"the machine holds", occupancy["max"].text()});
  table.rows.push_back({"the launch allows", occupancy["warps"].text()});
  table.rows.push_back({"achieved: resident on average, over all SMs and the whole launch",
                        number_text(launch["warps.resident_avg"].number_or(0), 2)});
  table.rows.push_back({"able to issue on average", number_text(launch["warps.eligible_avg"].number_or(0), 2)});
  std::string body =
      paragraph(fmt::format("Limited by {}: {} blocks per SM, {} waves.", occupancy["limiter"].text(),
                            occupancy["ctas_per_sm"].text(), number_text(occupancy["waves"].number_or(0), 2)));
  const std::vector<Prediction> predictions =
      run.longest() < run.predictions.size() ? run.predictions[run.longest()].predictions : std::vector<Prediction>{};
  const auto inputs = occupancy_inputs(predictions);
  const HtmlTable limits = limiters(predictions, occupancy["limiter"].text());
  body += "<div class=two>" + table_of(table) + (limits.rows.empty() ? "" : table_of(limits)) + "</div>\n";
  if (inputs.empty()) return section_of(5, "Occupancy", body + absent("The run has no models.json: no curves."));
  const Chart chart{"occupancy", "Warps per SM against one resource at a time",
                    "The dot is this launch; a step up means one block more.", occupancy_curves(inputs)};
  return section_of(5, "Occupancy", body + figure_of(chart));
}

}  // namespace teslasim
