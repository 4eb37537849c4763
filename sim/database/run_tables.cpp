// SPDX-License-Identifier: Apache-2.0
#include "sim/database/run_tables.h"

#include <fmt/format.h>

#include <string_view>

namespace teslasim {
namespace {

std::string command_of(const RunIdentity& identity) {
  std::string command;
  for (const std::string& argument : identity.arguments) command += (command.empty() ? "" : " ") + argument;
  return command;
}

/// "1024x1".
std::string sizes(const StatisticTree& list) {
  std::string text;
  for (const StatisticTree& one : list.children()) text += (text.empty() ? "" : "x") + one.text();
  return text;
}

std::string cell(std::optional<double> number) {
  return number ? fmt::format("{}", *number) : std::string();
}

/// "stall_mem_global" and the like, and the replays: slots in which something else could have issued.
bool is_lost(std::string_view column) {
  return column.starts_with("stall_") || column.starts_with("slots_replay_");
}

/// What every line about a launch begins with.
std::vector<std::string> launch_cells(const FinishedRun& run, std::size_t place) {
  return {std::to_string(run.number_of(place)), run.launch(place)["kernel"].text()};
}

}  // namespace

DatabaseTable run_table(const FinishedRun& run, const std::string& status, const std::string& exit) {
  const RunIdentity identity = run.identity.value_or(RunIdentity{});
  CsvTable rows({"name", "status", "exit", "digest", "machine", "preset", "version", "started", "command"});
  rows.add({run.label, status, exit, run.statistics["digest"].text(), run.statistics["machine"]["name"].text(),
            run.statistics["machine"]["preset"].text(), identity.version, identity.started, command_of(identity)});
  return {"run", std::move(rows)};
}

DatabaseTable launch_table_of(const FinishedRun& run) {
  CsvTable rows({"launch", "kernel", "status", "grid", "block", "ctas", "ctas_done", "sampled", "cycles", "ms",
                 "warp_instructions", "thread_instructions", "warps_per_sm", "limiter"});
  for (std::size_t place = 0; place < run.launches(); ++place) {
    const StatisticTree& launch = run.launch(place);
    std::vector<std::string> row = launch_cells(run, place);
    row.insert(row.end(), {launch["status"].text(), sizes(launch["grid"]), sizes(launch["block"])});
    row.insert(row.end(), {launch["ctas"]["total"].text(), launch["ctas"]["done"].text(),
                           launch["sampled"].text() == "true" ? "1" : "0"});
    row.insert(row.end(), {launch["time"]["cycles"].text(), launch["time"]["ms"].text()});
    row.insert(row.end(), {launch["instructions"]["warp"].text(), launch["instructions"]["thread"].text()});
    row.insert(row.end(), {launch["occupancy"]["warps"].text(), launch["occupancy"]["limiter"].text()});
    rows.add(std::move(row));
  }
  return {"launch", std::move(rows)};
}

DatabaseTable model_table(const FinishedRun& run) {
  CsvTable rows({"launch", "kernel", "model", "level", "bound", "ms", "error", "refusal"});
  for (std::size_t place = 0; place < run.predictions.size() && place < run.launches(); ++place) {
    const LaunchPredictions& launch = run.predictions[place];
    for (const Prediction& one : launch.predictions) {
      std::vector<std::string> row = launch_cells(run, place);
      const std::optional<double> ms = one.seconds ? std::optional(*one.seconds * 1e3) : std::nullopt;
      const bool compared = ms && launch.simulated_ms;
      row.insert(row.end(), {one.model, std::string(name_of(one.level)), one.bound, cell(ms)});
      row.push_back(cell(compared ? std::optional(relative_error(*ms, *launch.simulated_ms)) : std::nullopt));
      row.push_back(one.refusal);
      rows.add(std::move(row));
    }
  }
  return {"model", std::move(rows)};
}

DatabaseTable model_term_table(const FinishedRun& run) {
  CsvTable rows({"launch", "kernel", "model", "term", "value", "unit", "meaning"});
  for (std::size_t place = 0; place < run.predictions.size() && place < run.launches(); ++place) {
    for (const Prediction& one : run.predictions[place].predictions) {
      for (const PredictionTerm& term : one.terms) {
        std::vector<std::string> row = launch_cells(run, place);
        row.insert(row.end(), {one.model, term.name, cell(term.value), term.unit, term.meaning});
        rows.add(std::move(row));
      }
    }
  }
  return {"model_term", std::move(rows)};
}

std::vector<DatabaseView> run_views(const CsvTable& pc) {
  std::vector<DatabaseView> views{
      {"v_stack",
       "SELECT launch, kernel, substr(stat, 13) AS reason, value AS slots FROM stat "
       "WHERE scope = 'launch' AND stat LIKE 'issue_slots.%' AND stat <> 'issue_slots.total' AND CAST(value AS "
       "INTEGER) > 0 "
       "ORDER BY launch, slots DESC"}};
  std::string lost;
  for (const std::string& column : pc.columns()) {
    if (is_lost(column)) lost += (lost.empty() ? "" : " + ") + ("coalesce(\"" + column + "\", 0)");
  }
  if (!lost.empty()) {
    views.push_back({"v_hot", "SELECT launch, kernel, pc, text, src_line, slots_issued, " + lost +
                                  " AS slots_lost FROM pc ORDER BY slots_lost DESC"});
  }
  return views;
}

}  // namespace teslasim
