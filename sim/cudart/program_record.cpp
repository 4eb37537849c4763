// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/program_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <utility>

#include "frontend/clang/kernel_names.h"
#include "sim/base/csv.h"
#include "sim/base/json_text.h"
#include "sim/report/result/finished_run.h"
#include "sim/report/result/merged_launches.h"
#include "sim/report/text/format.h"
#include "sim/run/console.h"
#include "sim/run/report_files.h"
#include "sim/run/resident_memory.h"
#include "sim/run/result_parts.h"
#include "sim/run/run_files.h"

namespace teslasim::cudart {
namespace {

namespace fs = std::filesystem;

/// The command line of this process.
std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words.empty() ? std::vector<std::string>{"program"} : words;
}

nlohmann::ordered_json sample_json(const ProgramSample& sample) {
  nlohmann::ordered_json json;
  if (sample.launches) {
    json = {{"first", sample.launches->rule().first},
            {"every", sample.launches->rule().every},
            {"timed", sample.launches->timed()},
            {"extrapolated", sample.launches->extrapolated()}};
  }
  if (sample.blocks) {
    json["blocks"] = {{"waves", sample.blocks->waves},
                      {"launches", sample.launches_of_blocks},
                      {"unsteady", sample.unsteady},
                      {"timed", sample.timed_blocks},
                      {"function", sample.function_blocks}};
  }
  json["kernel_ms_bound"] = milliseconds_of(sample.bound());
  return json;
}

/// " (sample: 44 launches in time, 356 extrapolated, +-0.012 ms at 95 %)", or "".
std::string sample_text(const ProgramSample& sample) {
  if (!sample.any()) return "";
  std::string text;
  if (sample.launches)
    text = fmt::format("{} launches in time, {} extrapolated, ", sample.launches->timed(),
                       sample.launches->extrapolated());
  if (sample.blocks) {
    text += fmt::format("{} of {} blocks of {} launches in time, ", sample.timed_blocks,
                        sample.timed_blocks + sample.function_blocks, sample.launches_of_blocks);
    if (sample.unsteady != 0) text += fmt::format("{} without a steady state, ", sample.unsteady);
  }
  return fmt::format(" (sample: {}+-{} at 95 %)", text, milliseconds(milliseconds_of(sample.bound())));
}

}  // namespace

ProgramRecord::ProgramRecord(const Control& control, const SimulatedDevice& device, const LoadedBoard& board)
    : control_(control), device_(device), board_(board), arguments_(command_line()), started_(utc_now()) {
  program_ = file_name_from(fs::path(arguments_.front()).filename().string());
  result_.name = program_;
  result_.machine = facts_of(device.spec());
  result_.configuration = device.machine().values;
  result_.configuration.insert(result_.configuration.end(), board.values.begin(), board.values.end());
  if (control.out == "none") return;
  directory_ = control.out.empty() ? RunDirectory::create_numbered(control.runs, program_, device.word())
                                   : RunDirectory::create_exactly(control.out);
  result_.run_directory = directory_->path();
  csv_ = std::make_unique<OutputFile>(directory_->file("launches.csv"), OutputMode::grow);
  json_ = std::make_unique<OutputFile>(directory_->file("launches.json"), OutputMode::grow);
  csv_->write(launch_csv_header());
}

void ProgramRecord::add_launch(LaunchFacts facts, const Kernel& kernel, LaunchStatistics statistics,
                               std::vector<Prediction> predictions) {
  statistics.kernel = shown_name(kernel, statistics.kernel);
  Digest own;
  for (Digest* digest : {&own, &digest_}) {
    digest->add(statistics);
    if (facts.sample) digest->add(*facts.sample);
  }
  facts.digest = own.value();
  timeline_.add(ProgramTimeline::Lane::kernels, statistics.kernel, facts.span);
  write_row(facts, statistics);
  KernelSum& sum = kernels_[statistics.kernel];
  ++sum.launches;
  sum.extrapolated += facts.bound ? 1 : 0;
  sum.warp_instructions += statistics.warp_instructions;
  if (facts.sample) sum.warp_instructions += facts.sample->function_warp_instructions;
  sum.time += facts.span.end - facts.span.start;
  kernel_time_ += facts.span.end - facts.span.start;
  ++launches_;
  LaunchResult kept;
  kept.statistics = std::move(statistics);
  kept.predictions = std::move(predictions);
  kept.sample = facts.sample;
  kept.sampled = kept.sample.has_value();
  keep(kernel, std::move(kept), facts.number);
}

std::string ProgramRecord::shown_name(const Kernel& kernel, const std::string& name) {
  std::vector<SeenKernel>& seen = seen_[name];
  const auto place = std::find_if(seen.begin(), seen.end(), [&kernel](const SeenKernel& one) {
    return one.kernel == &kernel && one.instructions == kernel.code.size();
  });
  const auto number = place - seen.begin() + 1;
  if (place == seen.end()) seen.push_back({&kernel, kernel.code.size()});
  return number == 1 ? name : fmt::format("{} ({})", name, number);
}

void ProgramRecord::write_row(const LaunchFacts& facts, const LaunchStatistics& statistics) {
  if (!directory_ || finished_) return;
  attempts_.attempt("launches.csv", [&] {
    const std::vector<LaunchCell> cells = launch_cells(facts, statistics);
    csv_->write(launch_csv_row(cells));
    json_->write((launches_ == 0 ? "[\n" : ",\n") + launch_json(cells));
  });
}

void ProgramRecord::keep(const Kernel& kernel, LaunchResult kept, std::uint64_t number) {
  KernelSum& sum = kernels_[kept.statistics.kernel];
  std::optional<std::size_t>& place = kept.statistics.timed ? sum.timed : sum.functional;
  if (place) return add_launch_to(*place, std::move(kept), number);
  kept.listing = listing_of(kernel);
  kept.index = number;
  begin_sum(kept, number);
  place = result_.launches.size();
  result_.launches.push_back(std::move(kept));
}

void ProgramRecord::add_launch_to(std::size_t place, LaunchResult launch, std::uint64_t number) {
  teslasim::add_launch(result_.launches[place], std::move(launch), number);
}

void ProgramRecord::add_copy(std::string_view name, TimeSpan span, std::uint64_t size) {
  timeline_.add(ProgramTimeline::Lane::copies, name, span, size);
  copy_time_ += span.end - span.start;
  copied_bytes_ += size;
  ++copies_;
}

void ProgramRecord::add_result(const void* data, std::uint64_t size) {
  digest_.add("copy", {static_cast<const std::byte*>(data), size});
}

void ProgramRecord::add_wait(TimeSpan span) {
  if (span.end > span.start) timeline_.add(ProgramTimeline::Lane::host, "wait", span);
}

Result ProgramRecord::shown_result() const {
  Result shown = result_;
  const bool any_timed = std::any_of(shown.launches.begin(), shown.launches.end(),
                                     [](const LaunchResult& launch) { return launch.statistics.timed; });
  shown.host = {device_.host_seconds(any_timed), resident_mb()};
  if (any_timed) std::erase_if(shown.launches, [](const LaunchResult& launch) { return !launch.statistics.timed; });
  for (LaunchResult& launch : shown.launches) launch.sampled = launch.sampled || sampled_;
  shown.planned_launches = shown.launches_run();
  shown.digest = shown.counters_digest = digest_.value();
  return shown;
}

void ProgramRecord::write_kernels() {
  CsvTable table({"kernel", "launches", "extrapolated", "ms", "share_pct", "warp_instructions", "limiter", "stalls"});
  const double all = milliseconds_of(kernel_time_);
  constexpr std::size_t stalls = 3;
  for (const auto& [name, sum] : kernels_) {
    const double own = milliseconds_of(sum.time);
    const LaunchStatistics none;
    const LaunchStatistics& timed = sum.timed ? result_.launches[*sum.timed].statistics : none;
    table.add({name, std::to_string(sum.launches), std::to_string(sum.extrapolated), fmt::format("{}", own),
               fmt::format("{:.2f}", all > 0.0 ? 100.0 * own / all : 0.0), std::to_string(sum.warp_instructions),
               sum.timed ? largest_stalls(timed, 1) : "", sum.timed ? largest_stalls(timed, stalls) : ""});
  }
  write_file(directory_->file("kernels.csv"), table.csv());
}

void ProgramRecord::write_program(Femtoseconds end, const std::string& status, const ProgramSample& sample) {
  nlohmann::ordered_json json;
  json["schema"] = "teslasim.program/1";
  json["program"] = arguments_;
  json["machine"] = device_.spec().name;
  json["status"] = status;
  json["started"] = started_;
  json["ended"] = utc_now();
  json["launches"] = launches_;
  json["kernels"] = kernels_.size();
  json["warp_instructions"] = result_.warp_instructions();
  json["ms"] = milliseconds_of(end);
  json["kernel_ms"] = milliseconds_of(kernel_time_);
  if (sample.any()) json["sample"] = sample_json(sample);
  json["copies"] = copies_;
  json["copy_ms"] = milliseconds_of(copy_time_);
  json["copied_bytes"] = copied_bytes_;
  json["digest"] = digest_text(digest_.value());
  write_file(directory_->file("program.json"), json_text(json, 1) + "\n");
}

void ProgramRecord::write_all(Femtoseconds end, const std::string& status, const ProgramSample& sample) {
  attempts_.attempt("launches.csv", [&] { csv_->finish(); });
  attempts_.attempt("launches.json", [&] {
    json_->write(launches_ == 0 ? "[]\n" : "\n]\n");
    json_->finish();
  });
  attempts_.attempt("config.effective.toml", [&] {
    write_file(directory_->file("config.effective.toml"), effective_toml(device_.machine()) + board_comment(board_));
  });
  attempts_.attempt("program.json", [&] { write_program(end, status, sample); });
  attempts_.attempt("kernels.csv", [&] { write_kernels(); });
  attempts_.attempt("timeline.pftrace.gz",
                    [&] { write_file(directory_->file("timeline.pftrace.gz"), timeline_.file(device_.spec().name)); });
  const Result shown = shown_result();
  if (shown.launches.empty()) return;
  attempts_.attempt("stats.json", [&] { write_statistics(*directory_, shown); });
  write_tables(*directory_, shown, attempts_);
  attempts_.attempt("report.html", [&] {
    FinishedRun run = finished_run(shown, run_label(directory_->path()));
    RunRecord record;
    record.arguments = arguments_;
    record.started = started_;
    record.status = status;
    run.identity = identity_of(record, {});
    write_report({run}, directory_->file("report.html"));
  });
}

void ProgramRecord::finish(Femtoseconds end, const std::string& status, const ProgramSample& sample) {
  if (std::exchange(finished_, true)) return;
  // Every page and table that takes the name says it.
  sampled_ = sample.launches.has_value();
  if (sample.launches)
    result_.name += fmt::format(" (sample: {} of {} launches in time)", sample.launches->timed(), launches_);
  if (sample.launches_of_blocks != 0) result_.name += " (sample of blocks)";
  if (directory_) {
    write_all(end, status, sample);
    if (!attempts_.missing().empty()) print_diagnostics({attempts_.error()}, Paint::plain);
  }
  if (control_.quiet) return;
  for (const std::string& name : control_.mode.kernels) {
    const auto is_meant = [&name](const auto& kernel) { return cuda::is_called(kernel.first, name); };
    if (std::none_of(kernels_.begin(), kernels_.end(), is_meant))
      print_notice(fmt::format("teslasim: no launch is of '{}', which the mode names\n", name));
  }
  print_notice(fmt::format("teslasim: {}{} launches of {} kernels on {}: {} kernels{}, {} copies; digest {}{}\n",
                           status == "ok" ? "" : status + "; ", launches_, kernels_.size(), device_.spec().name,
                           milliseconds(milliseconds_of(kernel_time_)), sample_text(sample),
                           milliseconds(milliseconds_of(copy_time_)), digest_text(digest_.value()),
                           directory_ ? "; " + directory_->path() : ""));
}

}  // namespace teslasim::cudart
