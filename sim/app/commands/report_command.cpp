// SPDX-License-Identifier: Apache-2.0
// `teslasim report`: writes report.html of finished runs once more.
#include <fmt/format.h>

#include <array>

#include "sim/app/cli/command_functions.h"
#include "sim/database/run_database.h"
#include "sim/run/console.h"
#include "sim/run/report_files.h"
#include "sim/run/run_directory.h"
#include "sim/run/run_reader.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 4> report_own_options{{
    {"out", 'o', Arity::value, "FILE", "write one page here: the first run, compared with the second", Listing::common,
     FileUse::writes},
    {"compare", 0, Arity::flag, "", "put the first two runs beside each other, in the first one's report.html"},
    {"sqlite", 0, Arity::flag, "", "write run.sqlite of each run instead: its tables for SQL"},
    {"runs-dir", 0, Arity::value, "DIR", "where numbered runs are (default: runs)", Listing::rare},
}};

}  // namespace

std::vector<Option> options_of_report() {
  return {report_own_options.begin(), report_own_options.end()};
}

int report_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(report_own_options), "report");
  if (answered_help(options, "report", report_own_options)) return 0;
  if (options.inputs().empty()) usage_error("CLI-INPUT", "report needs runs", "teslasim report latest");
  std::vector<std::string> directories;
  for (const std::string& word : options.inputs()) {
    directories.push_back(find_run(options.text("runs-dir", "runs"), word));
  }
  const bool quiet = options.has("quiet");
  const auto told = [quiet](const std::string& file) {
    if (!quiet) print_result("wrote " + file + "\n");
  };
  const auto write = [told](const std::vector<std::string>& runs, const std::string& file) {
    std::vector<FinishedRun> finished;
    for (const std::string& directory : runs) finished.push_back(RunReader(directory).run());
    write_report(finished, file);
    told(file);
  };
  const bool together = options.has("out") || options.has("compare");
  if (together && options.has("sqlite")) usage_error("CLI-VALUE", "--sqlite is of each run, not of a page about two");
  if (together) {
    if (directories.size() > 2) directories.resize(2);
    write(directories, options.text("out", directories.front() + "/report.html"));
    return 0;
  }
  for (const std::string& directory : directories)
    options.has("sqlite") ? told(write_run_database(directory)) : write({directory}, directory + "/report.html");
  if (directories.size() == 2 && !quiet && !options.has("sqlite")) {
    print_notice("note: both on one page: teslasim report " + options.inputs()[0] + ' ' + options.inputs()[1] +
                 " -o both.html\n");
  }
  return 0;
}

}  // namespace teslasim
