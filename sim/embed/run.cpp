// SPDX-License-Identifier: Apache-2.0
#include <teslasim/run.h>

#include <charconv>
#include <utility>

#include "sim/base/csv.h"
#include "sim/base/slot_reason.h"
#include "sim/embed/errors.h"
#include "sim/embed/run_state.h"
#include "sim/report/csv/stats_csv.h"
#include "sim/report/csv/warps_csv.h"
#include "sim/report/html/html_report.h"
#include "sim/report/result/statistic_names.h"
#include "sim/report/result/stats_json.h"
#include "sim/report/text/summary.h"
#include "sim/run/report_files.h"
#include "sim/run/run_directory.h"

namespace teslasim::embed {
namespace {

/// The node of a dotted path; numbers are places in lists. nullptr: there is none.
const StatisticTree* find_path(const StatisticTree& tree, std::string_view path) {
  if (path.empty()) return &tree;
  if (tree.kind() == StatisticTree::Kind::list) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    std::size_t place = 0;
    const auto read = std::from_chars(path.data(), path.data() + dot, place);
    if (read.ec != std::errc{} || read.ptr != path.data() + dot || place >= tree.size()) return nullptr;
    return find_path(tree.at(place), path.substr(std::min(dot + 1, path.size())));
  }
  for (std::size_t end = path.find('.'); end != std::string_view::npos; end = path.find('.', end + 1)) {
    const std::string_view name = path.substr(0, end);
    if (!tree.has(name) || tree[name].kind() == StatisticTree::Kind::value) continue;
    if (const StatisticTree* found = find_path(tree[name], path.substr(end + 1))) return found;
  }
  return tree.has(path) ? &tree[path] : nullptr;
}

void flatten(const StatisticTree& tree, const std::string& path, std::vector<std::pair<std::string, Value>>& all) {
  const std::string before = path.empty() ? "" : path + ".";
  if (tree.kind() == StatisticTree::Kind::value) all.emplace_back(path, tree.value());
  for (std::size_t i = 0; i < tree.children().size(); ++i) {
    const bool list = tree.kind() == StatisticTree::Kind::list;
    flatten(tree.children()[i], before + (list ? std::to_string(i) : tree.names()[i]), all);
  }
}

[[noreturn]] void refuse(const char* code, std::string message, std::string help) {
  Diagnostic problem;
  problem.code = code;
  problem.message = std::move(message);
  problem.help = std::move(help);
  throw InputError(ExitCode::usage, std::move(problem));
}

/// Sums over all SMs may be written with the word for them.
std::string_view without_scope(std::string_view path) {
  for (const std::string_view scope : {"sm.issue_slots", "sm.warp_cycles"}) {
    if (path.starts_with(scope)) return path.substr(std::string_view("sm.").size());
  }
  return path;
}

Table parsed(std::string_view csv) {
  const CsvTable whole = CsvTable::parse(csv);
  Table table{whole.columns(), {}};
  for (std::size_t row = 0; row < whole.rows(); ++row) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const std::string& column : table.columns) cells.push_back(whole.text(row, column));
  }
  return table;
}

std::string csv_of(const Result& result, TableName name) {
  switch (name) {
    case TableName::instructions:
      return pc_csv(result);
    case TableName::intervals:
      return intervals_csv(result);
    case TableName::blocks:
      return ctas_csv(result);
    case TableName::warps:
      return any_warps(result) ? warps_csv(result) : "";
    default:
      return stats_csv(result);
  }
}

const char* file_of(TableName name) {
  switch (name) {
    case TableName::instructions:
      return "pc.csv";
    case TableName::intervals:
      return "intervals.csv";
    case TableName::blocks:
      return "ctas.csv";
    case TableName::warps:
      return "warps.csv";
    default:
      return "stats.csv";
  }
}

}  // namespace

const StatisticTree& Run::State::tree() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!tree_) tree_ = result ? statistic_tree(*result) : folder->statistics();
  return *tree_;
}

const FinishedRun& Run::State::finished() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!finished_) finished_ = result ? finished_run(*result, result->name) : folder->run();
  return *finished_;
}

Run run_of(Result result, std::vector<Diagnostic> warnings) {
  auto state = std::make_shared<Run::State>();
  state->result = std::move(result);
  state->warnings = std::move(warnings);
  return Run(std::move(state));
}

Run::Run(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Run Run::load(const std::string& folder) {
  return translated([&] {
    auto state = std::make_shared<State>();
    state->folder.emplace(find_run("runs", folder));
    (void)state->tree();  // says at once when it is no run
    return Run(std::move(state));
  });
}

std::string Run::name() const {
  return state_->result ? state_->result->name : state_->folder->label();
}
std::string Run::machine() const {
  return state_->tree()["machine.name"].text();
}
std::string Run::status() const {
  return state_->tree()["status"].text();
}
std::string Run::digest() const {
  return state_->tree()["digest"].text();
}
std::size_t Run::launches() const {
  return state_->tree()["launches"].size();
}
bool Run::timed() const {
  return state_->tree()["launches"].at(0)["time.cycles"].number().has_value();
}

double Run::ms() const {
  double sum = 0.0;
  for (const StatisticTree& launch : state_->tree()["launches"].children()) sum += launch["time.ms"].number_or(0.0);
  return sum;
}

std::uint64_t Run::cycles() const {
  std::uint64_t sum = 0;
  for (const StatisticTree& launch : state_->tree()["launches"].children()) {
    if (const auto* cycles = std::get_if<std::uint64_t>(&launch["time.cycles"].value())) sum += *cycles;
  }
  return sum;
}

double Run::host_seconds() const {
  if (state_->result) return state_->result->host.seconds;
  return state_->tree()["host.seconds"].number_or(0.0);
}

std::string Run::kernel(std::size_t launch) const {
  return state_->tree()["launches"].at(launch)["kernel"].text();
}

std::vector<std::pair<std::string, std::uint64_t>> Run::stalls(std::size_t launch) const {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  const StatisticTree& slots = state_->tree()["launches"].at(launch)["issue_slots"];
  for (std::size_t i = 0; i < slots.names().size(); ++i) {
    const auto* count = std::get_if<std::uint64_t>(&slots.children()[i].value());
    if (count != nullptr && *count != 0 && slots.names()[i] != "total") all.emplace_back(slots.names()[i], *count);
  }
  return all;
}

Value Run::statistic(const std::string& path, std::size_t launch) const {
  return translated([&]() -> Value {
    const StatisticTree& whole = state_->tree();
    const std::string_view wanted = without_scope(path);
    const StatisticTree* found = find_path(whole["launches"].at(launch), wanted);
    if (found == nullptr) found = find_path(whole, wanted);
    if (found != nullptr && found->kind() == StatisticTree::Kind::value) return found->value();
    // A reason or a class that did not occur is not written.
    if (found == nullptr && is_statistic_name(wanted) && reason_in_name(wanted).empty()) return std::uint64_t{0};
    const std::string near = nearest_statistic_name(path);
    refuse("STAT-UNKNOWN",
           "there is no statistic '" + path + "'" + (found == nullptr ? "" : ", but there are some below it"),
           near.empty() ? "docs/statistics-reference.md has all of them" : "did you mean '" + near + "'?");
  });
}

std::vector<std::pair<std::string, Value>> Run::statistics(std::size_t launch) const {
  std::vector<std::pair<std::string, Value>> all;
  flatten(state_->tree()["launches"].at(launch), "", all);
  return all;
}

Table Run::table(TableName name) const {
  return parsed(csv(name));
}

std::string Run::csv(TableName name) const {
  return state_->result ? csv_of(*state_->result, name) : state_->folder->text(file_of(name));
}

std::vector<Prediction> Run::predictions() const {
  return translated([this] { return predictions_of(state_->finished().predictions); });
}

std::vector<std::pair<std::string, std::string>> Run::configuration() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const ConfigurationRow& row : state_->finished().configuration) all.emplace_back(row.key, row.plain());
  return all;
}

std::vector<Message> Run::warnings() const {
  return messages_of(state_->warnings);
}

std::string Run::summary() const {
  return state_->result ? teslasim::summary(*state_->result, Bars::none) : state_->folder->text("summary.txt");
}

std::string Run::stats_json() const {
  return state_->result ? teslasim::stats_json(*state_->result) : state_->folder->text("stats.json");
}

std::string Run::report() const {
  return translated([this] { return report_page({state_->finished()}); });
}

std::string Run::overview() const {
  return translated([this] { return html_overview(state_->finished()); });
}

void Run::write_report(const std::string& file) const {
  translated([&] { teslasim::write_report({state_->finished()}, file); });
}

}  // namespace teslasim::embed
