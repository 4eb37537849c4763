// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/report/html/html.h"
#include "sim/report/html/page.h"
#include "sim/report/html/sections.h"

namespace teslasim {

namespace {

constexpr std::array<const char*, 15> titles{"Run",    "Verdict",  "Speed of light", "Slots",         "Occupancy",
                                             "Shared", "Global",   "Listing",        "Time",          "Memory chart",
                                             "Models", "Roofline", "Compare",        "Configuration", "Data"};
constexpr std::size_t compare_number = 13;
constexpr std::array<std::array<const char*, 2>, 8> group_colors{{{"issued", "#339855"},
                                                                  {"replay", "#f67816"},
                                                                  {"dep", "#004df6"},
                                                                  {"mem", "#b40d10"},
                                                                  {"sync", "#c174e0"},
                                                                  {"pipe", "#164948"},
                                                                  {"front end", "#efdf82"},
                                                                  {"empty", "#a8b6bd"}}};

bool occurs(const FinishedRun& run, std::string_view view, std::string_view name) {
  for (std::size_t i = 0; i < run.launches(); ++i) {
    if (run.launch(i)[view][name].number_or(0) > 0) return true;
  }
  return false;
}

/// The lists that specifications name with "@".
std::string palette(const FinishedRun& run) {
  nlohmann::ordered_json lists;
  for (const char* name : {"reasons", "colors", "slots", "states", "groups", "group_colors", "block_sms"})
    lists[name] = nlohmann::ordered_json::array();
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    const SlotReasonInfo& reason = slot_reasons[i];
    for (const bool waiting : {false, true}) {
      if (waiting && reason.views != ReasonViews::AB) continue;
      const std::string name = (waiting ? "wait." : "") + std::string(reason.name);
      lists["reasons"].push_back(name);
      lists["colors"].push_back(color_of(static_cast<SlotReason>(i)));
      if (occurs(run, "issue_slots", name)) lists["slots"].push_back(name);
      if (occurs(run, "warp_cycles", name)) lists["states"].push_back(name);
    }
  }
  for (const auto& [name, color] : group_colors) {
    lists["groups"].push_back(name);
    lists["group_colors"].push_back(color);
  }
  for (const std::uint64_t sm : sms_with_blocks(run)) lists["block_sms"].push_back(sm);
  return json_text(lists);
}

/// The comparison of two runs is section 0, above the sections of the first run; of one run it is section 13 and empty.
std::string navigation(std::size_t runs) {
  std::string text = "<nav aria-label=sections>";
  if (runs > 1) text += "<a href=\"#s0\">Compare</a>";
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (runs > 1 && i + 1 == compare_number) continue;
    text += fmt::format("<a href=\"#s{}\">{}</a>", i + 1, titles[i]);
  }
  return text + "</nav>\n";
}

}  // namespace

std::string html_report(const std::vector<FinishedRun>& runs, const std::vector<MachinePeaks>& machines) {
  const FinishedRun& run = runs.front();
  const bool together = runs.size() > 1;
  std::string body = navigation(runs.size());
  if (together) body += compare_section(runs);
  for (const auto section :
       {header_section, verdict_section, speed_of_light_section, slots_section, occupancy_section, shared_section,
        global_section, listing_section, time_section, memory_chart_section, models_section}) {
    body += section(run);
  }
  body += roofline_section(run, machines);
  if (!together) body += compare_section(runs);
  body += configuration_section(run) + data_section(run);
  return page_of(together ? run.label + " against " + runs[1].label : run.label, body, palette(run));
}

std::string html_overview(const FinishedRun& run) {
  std::string body;
  for (const auto section : {header_section, verdict_section, speed_of_light_section, slots_section}) {
    body += section(run);
  }
  return page_of(run.label, body, palette(run));
}

}  // namespace teslasim
