// SPDX-License-Identifier: Apache-2.0
#include "sim/database/run_database.h"

#include <array>
#include <utility>
#include <vector>

#include "sim/base/output_file.h"
#include "sim/database/run_tables.h"
#include "sim/run/run_reader.h"
#include "sim/run/timelines.h"

namespace teslasim {

std::string write_run_database(const std::string& directory) {
  // Tables that are files of the run, by their names there.
  constexpr std::array<std::pair<const char*, const char*>, 6> files{{{"stat", "stats.csv"},
                                                                      {"pc", "pc.csv"},
                                                                      {"interval", "intervals.csv"},
                                                                      {"warp", "warps.csv"},
                                                                      {"cta", "ctas.csv"},
                                                                      {"profiler_counter", "cuprof_cc1x.csv"}}};
  const RunReader reader(directory);
  FinishedRun run;
  run.label = reader.label();
  run.statistics = reader.statistics();
  run.predictions = reader.predictions();
  run.identity = reader.identity();
  const RecordedEnd end = reader.end();
  std::vector<DatabaseTable> tables{run_table(run, end.status, end.exit ? std::to_string(*end.exit) : ""),
                                    launch_table_of(run), model_table(run), model_term_table(run)};
  CsvTable instructions;
  for (const auto& [name, file] : files) {
    tables.push_back({name, CsvTable::parse(reader.text(file))});
    if (tables.back().name == "pc") instructions = tables.back().rows;
  }
  tables.push_back({"warp_state", CsvTable::parse(reader.packed_text(warp_states_name.data()))});
  std::string file = directory + "/run.sqlite";
  write_file(file, database_bytes(tables, run_views(instructions)));
  return file;
}

}  // namespace teslasim
