// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "sim/base/embedded_file.h"
#include "sim/report/html/html.h"
#include "sim/report/html/sections.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> chart_libraries;

namespace {

constexpr std::array<const char*, 15> titles{"Run",    "Verdict",  "Speed of light", "Slots",         "Occupancy",
                                             "Shared", "Global",   "Listing",        "Time",          "Memory chart",
                                             "Models", "Roofline", "Compare",        "Configuration", "Data"};
constexpr std::array<std::array<const char*, 2>, 8> group_colors{{{"issued", "#339855"},
                                                                  {"replay", "#f67816"},
                                                                  {"dep", "#004df6"},
                                                                  {"mem", "#b40d10"},
                                                                  {"sync", "#c174e0"},
                                                                  {"pipe", "#164948"},
                                                                  {"front end", "#efdf82"},
                                                                  {"empty", "#a8b6bd"}}};

class JsonList {
 public:
  void add(std::string_view text) { text_ += (text_.empty() ? "\"" : ",\"") + std::string(text) + '"'; }
  [[nodiscard]] std::string text() const { return "[" + text_ + "]"; }

 private:
  std::string text_;
};

bool occurs(const ReportRun& run, std::string_view view, std::string_view name) {
  for (std::size_t i = 0; i < run.launches(); ++i) {
    if (run.launch(i)[view][name].number_or(0) > 0) return true;
  }
  return false;
}

/// The lists that specifications name with "@".
std::string palette(const ReportRun& run) {
  JsonList reasons, colors, slots, states, groups, of_groups;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    const SlotReasonInfo& reason = slot_reasons[i];
    for (const bool waiting : {false, true}) {
      if (waiting && reason.views != ReasonViews::AB) continue;
      const std::string name = (waiting ? "wait." : "") + std::string(reason.name);
      reasons.add(name);
      colors.add(color_of(static_cast<SlotReason>(i)));
      if (occurs(run, "issue_slots", name)) slots.add(name);
      if (occurs(run, "warp_cycles", name)) states.add(name);
    }
  }
  std::string block_sms;
  for (const std::string& sm : sms_with_blocks(run)) block_sms += (block_sms.empty() ? "" : ",") + sm;
  for (const auto& [name, color] : group_colors) {
    groups.add(name);
    of_groups.add(color);
  }
  return fmt::format(
      "<script type=\"application/json\" "
      "id=palette>{{\"reasons\":{},\"colors\":{},\"slots\":{},\"states\":{},\"groups\":{},"
      "\"group_colors\":{},\"block_sms\":[{}]}}</script>\n",
      reasons.text(), colors.text(), slots.text(), states.text(), groups.text(), of_groups.text(), block_sms);
}

/// The chart libraries stay packed until the script of the page unpacks them: a third of the size, and nothing that a
/// browser has to read before it shows the page.
std::string scripts() {
  std::string text, licences;
  for (const EmbeddedFile& file : chart_libraries) {
    if (file.name.ends_with("LICENSE")) {
      licences +=
          "<details><summary>licence of " + html(file.name) + "</summary><pre>" + html(file.text) + "</pre></details>";
    } else {
      text += "<script type=\"application/gzip;base64\" id=libraries>" + base64(file.text) + "</script>\n";
    }
  }
  return "<footer><p>Written by teslasim. " +
         std::string(has_chart_libraries() ? "Charts by Vega, Vega-Lite and Vega-Embed (BSD-3-Clause)."
                                           : "This program was built without Vega: charts are shown as tables.") +
         "</p>" + licences + "</footer>\n" + text + "<script>" + std::string(report_asset("report.js")) + "</script>\n";
}

std::string navigation() {
  std::string text = "<nav aria-label=sections>";
  for (std::size_t i = 0; i < titles.size(); ++i) text += fmt::format("<a href=\"#s{}\">{}</a>", i + 1, titles[i]);
  return text + "</nav>\n";
}

}  // namespace

bool has_chart_libraries() {
  return std::any_of(chart_libraries.begin(), chart_libraries.end(),
                     [](const EmbeddedFile& file) { return file.name.ends_with(".js.gz"); });
}

std::string html_report(std::vector<ReportFiles> files) {
  std::vector<ReportRun> runs;
  runs.reserve(files.size());
  for (ReportFiles& one : files) runs.push_back(ReportRun::read(std::move(one)));
  const ReportRun& run = runs.front();
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width,initial-scale=1\"><link rel=icon href=\"data:,\">\n<title>{} – teslasim</title>\n"
      "<style>{}</style></head><body>\n<h1>{}</h1>\n",
      html(run.label), report_asset("report.css"), html(run.label));
  page += navigation();
  for (const auto section :
       {header_section, verdict_section, speed_of_light_section, slots_section, occupancy_section, shared_section,
        global_section, listing_section, time_section, memory_chart_section, models_section, roofline_section}) {
    page += section(run);
  }
  page += compare_section(runs) + configuration_section(run) + data_section(run);
  return page + palette(run) + scripts() + "</body></html>\n";
}

}  // namespace teslasim
