// SPDX-License-Identifier: Apache-2.0
// Sections 14 and 15: what the machine was, and where the numbers are.
#include <fmt/format.h>

#include "sim/report/html/html.h"
#include "sim/report/html/sections.h"

namespace teslasim {

std::string configuration_section(const FinishedRun& run) {
  if (run.configuration.empty())
    return section_of(14, "Configuration", absent("The run has no config.effective.toml."));
  HtmlTable table{{"key", "value", "origin", "source"}, {}};
  for (const ConfigurationRow& row : run.configuration)
    table.rows.push_back({row.key, row.plain(), row.origin, row.source});
  return section_of(14, "Configuration",
                    "<p class=tools hidden><input id=find-key type=search placeholder=\"search keys\" "
                    "aria-label=\"search keys\"></p>\n<div class=scroll>" +
                        table_of(table, "configuration") + "</div>\n");
}

std::string data_section(const FinishedRun& run) {
  HtmlTable files{{"file", "what", "schema"}, {}};
  files.rows = {{"stats.json", "every number", run.statistics["schema"].text()},
                {"pc.csv", fmt::format("{} instructions", run.instructions.size()), ""},
                {"ctas.csv", fmt::format("{} blocks", run.blocks.size()), ""},
                {"warps.csv", "warps of the SMs that --warp-sms names", ""},
                {"intervals.csv", fmt::format("{} intervals", run.intervals.size()), ""},
                {"models.json", "analytical models", run.predictions.empty() ? "" : models_schema},
                {"run.json", "who, what, when", run.identity ? run_schema : ""}};
  HtmlTable words{{"reason", "an issue slot (or warp cycle) in which ..."}, {}};
  for (const SlotReasonInfo& reason : slot_reasons) {
    words.rows.push_back({std::string(reason.name), std::string(reason.description)});
  }
  return section_of(
      15, "Data",
      paragraph("All numbers of this page are in these files of the run's directory; the button CSV beside "
                "a chart saves what it shows. Every name: teslasim explain NAME.") +
          table_of(files) + "<h3>Glossary</h3><div class=scroll>" + table_of(words) + "</div>\n");
}

}  // namespace teslasim
