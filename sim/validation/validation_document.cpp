// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/validation_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "sim/base/csv.h"
#include "sim/base/diagnostic.h"
#include "sim/report/text/format.h"
#include "sim/validation/micro_kernel.h"
#include "sim/validation/sweeps.h"
#include "sim/validation/whole_kernel.h"

namespace teslasim {
namespace {

struct ExperimentTitle {
  std::string_view id, title;
  std::string_view text{};  ///< what a reader of the rows must know
};
constexpr ExperimentTitle titles[] = {
    {"E1", "Instruction throughput against resident warps"},
    {"E2", "Latency of dependent instructions"},
    {"E3", "Independent instructions of one warp"},
    {"E4", "Several execution units"},
    {"E5", "Predicates and branches"},
    {"E6", "Shared memory: latency and bank conflicts"},
    {"E7", "Shared-memory bandwidth against warps"},
    {"E8", "Constant caches"},
    {"E9", "Instruction caches"},
    {"E10", "Barriers"},
    {"E11", "Divergence"},
    {"E12", "Latency of device memory, address translation"},
    {"E13", "Texture caches"},
    {"E14", "Coalescing"},
    {"E15", "Bandwidth of device memory"},
    {"E16", "Loads with several transactions"},
    {"E23", "Launch cost and placement of blocks"},
    {"E25", "Occupancy"},
    {"E28", "Arithmetic mixed with reads; bandwidth of texture caches"},
    {"E30", "Whole kernels",
     "\nThe kernels are our own code for each algorithm ([traces/whole](../../traces/whole/README.md)), with the "
     "idioms of "
     "the compilers of the time, not\nwhat a compiler made: the count of instructions may be 10 to 15 % off, mostly "
     "too "
     "low. A single row says little; what all rows of a\nladder say together is evidence, and ratios between its steps "
     "are surer than times. The condition says what the published\ntime contains. Published "
     "reductions are host-timed with all passes and launches (0.02 to 0.03 ms for a single element); ours\nare the "
     "sum of all passes, of 22 us for the first launch and of 3 us for each one queued behind it. Rows of further "
     "integers\nare free of both. "
     "Copies and transpositions were launched many times: 5 us between two.\n"},
    {"E31", "Mixtures: what joins the mechanisms",
     "\nInstructions of one kind among others on a full SM, and reads among writes: the experiments that tell apart "
     "the\n"
     "hypotheses of decisions 0072 to 0077. But for writes alone nothing was published: the plots say what the "
     "machines\n"
     "do, and what could be measured on a board.\n"},
};

/// Text for a cell of a table.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.replace(at, 1, "\\|");
  return text;
}

std::string simulated(const ValidatedRow& row) {
  if (row.simulated.number) return fmt::format("{:.5g}", *row.simulated.number);
  return row.simulated.word.empty() ? "–" : row.simulated.word;
}

std::string verdict_cell(const ValidatedRow& row) {
  const std::string text(name_of(row.verdict));
  return row.published.counted() ? text : "(" + text + ")";
}

std::string row_line(const ValidatedRow& row) {
  const PublishedRow& p = row.published;
  const std::string error = row.error_percent ? fmt::format("{:+.1f} %", *row.error_percent) : "";
  const std::string read = p.read == "memory" ? ", recollected" : "";
  const std::string confidence = p.whole_kernel() ? "; " + p.confidence + " confidence" : "";
  return fmt::format("| {} | {} | {}: {} | {} | {} | {} | {} | {} | {} | {} |\n", p.id, p.machine, cell(p.quantity),
                     cell(p.condition), p.value, simulated(row), cell(p.unit), p.tolerance, error, verdict_cell(row),
                     cell(p.source + read + confidence));
}

std::string summary_line(const std::string& name, const ValidationResult& part) {
  const ValidationSummary s = part.summary();
  const std::string errors =
      s.compared == 0 ? "– | –" : fmt::format("{:.2f} % | {:.1f} %", s.mean_abs_error_percent, s.max_abs_error_percent);
  return fmt::format("| {} | {} | {} | {} | {} |\n", name, s.rows, s.counted, s.within, errors);
}

std::string summary_table(const ValidationResult& result) {
  std::map<std::string, ValidationResult> by_machine;
  const ValidationResult micro = result.micro_benchmarks(), whole = result.whole_kernels();
  for (const ValidatedRow& row : micro.rows) by_machine[row.published.machine].rows.push_back(row);
  std::string text =
      "| machine | rows | counted | within tolerance | mean error | largest error |\n|---|---|---|---|---|---|\n";
  for (const auto& [machine, part] : by_machine) text += summary_line(machine, part);
  text += summary_line("**all micro-benchmarks**", micro);
  if (!whole.rows.empty()) text += summary_line("**whole kernels**, all machines", whole);
  return text + fmt::format("\nDigest of the results: `{}`.\n", digest_text(result.digest()));
}

bool has_plot(const ExperimentTitle& experiment) {
  return std::any_of(sweeps().begin(), sweeps().end(),
                     [&](const Sweep& sweep) { return sweep.experiment == experiment.id; });
}

ValidationResult rows_of(const ExperimentTitle& experiment, const ValidationResult& result) {
  ValidationResult part;
  for (const ValidatedRow& row : result.rows) {
    if (row.published.experiment == experiment.id) part.rows.push_back(row);
  }
  return part;
}

std::string page_name(const ExperimentTitle& experiment) {
  std::string name(experiment.id);
  name[0] = 'e';
  return name + ".md";
}

std::string table_of_experiments(const ValidationResult& result, std::string_view page_folder) {
  std::string text =
      "\n| experiment | rows | counted | within tolerance | mean error | largest error |\n|---|---|---|---|---|---|\n";
  for (const ExperimentTitle& experiment : titles) {
    const ValidationResult part = rows_of(experiment, result);
    if (part.rows.empty() && !has_plot(experiment)) continue;
    text += summary_line(
        fmt::format("[{}: {}]({}/{})", experiment.id, experiment.title, page_folder, page_name(experiment)), part);
  }
  return text;
}

std::string page_text(const ExperimentTitle& experiment, const ValidationResult& result, std::string_view index) {
  std::string rows, plots;
  for (const ValidatedRow& row : result.rows) rows += row_line(row);
  for (const Sweep& sweep : sweeps()) {
    if (sweep.experiment == experiment.id) plots += fmt::format("\n![{}]({}.svg)\n", sweep.title, sweep.name);
  }
  if (rows.empty() && plots.empty()) return "";
  std::string text =
      fmt::format("# {}: {}\n\nGenerated by `teslasim validate --report`; [validation](../{}) explains the columns.\n",
                  experiment.id, experiment.title, index) +
      std::string(experiment.text);
  if (!rows.empty()) {
    text +=
        "\n| row | machine | what | published | ours | unit | tolerance | error | verdict | source |\n"
        "|---|---|---|---|---|---|---|---|---|---|\n" +
        rows;
  }
  return text + plots;
}

std::string misses(const ValidationResult& result) {
  std::string text;
  for (const ValidatedRow& row : result.rows) {
    if (!row.published.counted() || row.verdict == RowVerdict::within) continue;
    std::string cause = cause_of(row.published.id, row.published.machine);
    if (cause.empty()) cause = row.simulated.why.empty() ? "not found yet" : row.simulated.why;
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.published.id, row.published.machine,
                        cell(row.published.condition), row.published.value, simulated(row), cell(cause));
  }
  if (text.empty()) return "\n### Counted rows that miss\n\nNone.\n";
  return "\n### Counted rows that miss\n\n| row | machine | condition | published | ours | cause "
         "|\n|---|---|---|---|---|---|\n" +
         text;
}

}  // namespace

std::string cause_of(std::string_view id, std::string_view machine) {
  std::istringstream lines{std::string(micro_file("causes.csv")) + std::string(whole_file("causes.csv"))};
  std::string line;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = csv_fields(line);
    SIM_CHECK(fields.size() == 3, "causes.csv: a line needs three fields: " + line);
    const bool family = fields[0].ends_with('*') && id.starts_with(fields[0].substr(0, fields[0].size() - 1));
    if ((family || fields[0] == id) && (fields[1] == "*" || fields[1] == machine)) return fields[2];
  }
  return "";
}

std::string validation_markdown(const ValidationResult& result, std::string_view page_folder) {
  return "\n" + summary_table(result) + table_of_experiments(result, page_folder) + misses(result) + "\n";
}

std::vector<ExperimentPage> experiment_pages(const ValidationResult& result, std::string_view index) {
  std::vector<ExperimentPage> pages;
  for (const ExperimentTitle& experiment : titles) {
    std::string text = page_text(experiment, rows_of(experiment, result), index);
    if (!text.empty()) pages.push_back({page_name(experiment), std::move(text)});
  }
  return pages;
}

std::string_view experiment_title(std::string_view experiment) {
  for (const ExperimentTitle& one : titles) {
    if (one.id == experiment) return one.title;
  }
  return {};
}

std::vector<std::string_view> experiments() {
  std::vector<std::string_view> ids;
  for (const ExperimentTitle& one : titles) ids.push_back(one.id);
  return ids;
}

std::vector<std::string> experiment_page_names() {
  std::vector<std::string> names;
  for (const ExperimentTitle& experiment : titles) names.push_back(page_name(experiment));
  return names;
}

std::string with_validation(const std::string& document, const std::string& markdown) {
  const std::size_t begin = document.find(document_begin), end = document.find(document_end);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    Diagnostic diagnostic;
    diagnostic.code = "INPUT-FORMAT";
    diagnostic.message = "the document has no place for the validation";
    diagnostic.help = fmt::format("put '{}' and '{}' where it belongs", document_begin, document_end);
    throw InputError(ExitCode::input, diagnostic);
  }
  return document.substr(0, begin + document_begin.size()) + "\n" + markdown + document.substr(end);
}

}  // namespace teslasim
