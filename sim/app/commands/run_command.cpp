// SPDX-License-Identifier: Apache-2.0
// `teslasim run`: reads everything, simulates, writes the run directory, says what came out.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <optional>

#include "frontend/workload/device/npy.h"
#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/cli/run_options.h"
#include "sim/app/cli/timeline_options.h"
#include "sim/base/output_file.h"
#include "sim/database/run_database.h"
#include "sim/report/result/expectation.h"
#include "sim/report/result/stats_json.h"
#include "sim/report/text/format.h"
#include "sim/report/text/summary.h"
#include "sim/run/dumped_buffer.h"
#include "sim/run/launch_table.h"
#include "sim/run/report_files.h"
#include "sim/run/run_files.h"
#include "sim/run/signals.h"
#include "sim/run/watch.h"
#include "sim/run/watched_run.h"
#include "sim/run/workload_run.h"
#include "sim/serve/live_session.h"

namespace teslasim {
namespace {

std::vector<Option> all_options() {
  std::vector<Option> options(run_options().begin(), run_options().end());
  options.insert(options.begin(), workload_options().begin(), workload_options().end());
  options.insert(options.end(), sampling_options().begin(), sampling_options().end());
  options.insert(options.end(), timeline_options().begin(), timeline_options().end());
  return options;
}

std::optional<RunDirectory> make_directory(const PreparedRun& prepared, const RunOutputs& outputs) {
  if (!outputs.write_directory) return std::nullopt;
  if (!outputs.out.empty()) return RunDirectory::create_exactly(outputs.out);
  return RunDirectory::create_numbered(outputs.runs, prepared.workload.name, prepared.machine_word);
}

class RunSession {
 public:
  RunSession(const Arguments& arguments, const ParsedOptions& options)
      : console_(console_options(options)),
        outputs_(run_outputs(options)),
        timelines_(timeline_request(options)),
        prepared_(prepare(with_details(run_settings(options), timelines_))),
        recorder_(timelines_.recording) {
    note_ = reason_for_one_thread(prepared_, timelines_);
    if (!note_.empty()) prepared_.settings.threads = 1;
    record_.arguments = arguments;
    record_.started = utc_now();
    for (const auto& [name, file] : outputs_.dumps) dumped_.push_back(dumped_buffer(prepared_, name));
  }

  int run() {
    check_timelines(timelines_, prepared_.machine.spec, prepared_.workload);
    warn();
    if (!note_.empty() && !console_.quiet) print_notice("one thread instead of --threads: " + note_ + "\n");
    for (const std::string& file : prepared_.workload.files) spdlog::info("read {}", file);
    spdlog::info("machine {}, {} launches, {} buffers", prepared_.machine.spec.name, prepared_.workload.launches.size(),
                 prepared_.workload.buffers.size());
    WorkloadRun simulation(prepared_);
    if (timelines_.any()) simulation.record_pipelines(recorder_);
    live_.emplace(outputs_.serve, prepared_, timelines_);
    directory_ = make_directory(prepared_, outputs_);
    if (directory_) inputs_ = write_inputs(*directory_, prepared_);
    if (directory_ && timelines_.vcd) {
      simulation.model().show_in({directory_->file(".pipeline.vcd"), timelines_.recording.sms, timelines_.most_bytes});
    }
    live_->begin(simulation.model(), directory_ ? &*directory_ : nullptr);
    RunOutcome outcome = simulate(simulation);
    if (live_->in_copy())
      live_->end_copy([&](const std::string& folder) { return write_copy(outcome, simulation, folder); });
    waveform_ = simulation.model().finish_waveform();  // of a full disk it gives its space back before the results come
    if (directory_) outcome.result.run_directory = directory_->path();
    settle_status(outcome);
    const std::vector<CheckedExpectation> expectations = check_expectations(outcome.result);
    record_.exit_code = static_cast<int>(exit_code(outcome, expectations));
    live_->show_phase("writing");
    write(outcome, simulation);
    finish_live(outcome);
    settle_missing();
    tell(outcome, expectations);
    return record_.exit_code;
  }

 private:
  void warn() {
    std::vector<Diagnostic> warnings = prepared_.machine.warnings;
    warnings.insert(warnings.end(), prepared_.workload.warnings.begin(), prepared_.workload.warnings.end());
    record_.diagnostics = report_warnings(warnings, console_);
  }

  RunOutcome simulate(WorkloadRun& simulation) {
    WatchOptions options;
    options.style = console_.progress;
    options.max_seconds = outputs_.max_seconds;
    options.max_rss_mb = outputs_.max_rss_mb;
    if (directory_) options.status_file = directory_->file("status.json");
    options.onlooker = [this](const Moment& moment) { return live_->see(moment); };
    WatchedRun watched(prepared_, options);
    std::optional<LaunchTable> table;
    if (directory_ && prepared_.details.listed()) table.emplace(directory_->file("launches.csv"));
    simulation.on_launch_end([&](auto number, const auto& launch, const auto* sample, std::uint64_t digest) {
      live_->launch_ended(number, launch);
      watched.launch_ended(number, launch, sample);
      if (table && !live_->in_copy()) table->add(number, launch, sample, watched.status_of(launch.status), digest);
    });
    try {
      RunOutcome outcome = watched.run(simulation);
      status_ = watched.status_of(outcome);
      if (live_->in_copy()) {
        if (table) table->forget();
        return outcome;
      }
      if (table) table->finish();
      if (table && !table->problem().empty()) attempts_.note("launches.csv", table->problem());
      stop_reason_ = watched.stop_reason();
      if (!watched.status_problem().empty()) attempts_.note("status.json", watched.status_problem());
      return outcome;
    } catch (const std::exception& failure) {
      if (live_->in_copy()) live_->end_copy(failure);
      if (directory_) print_notice("the inputs and the configuration of the run are in " + directory_->path() + "\n");
      throw;
    }
  }

  /// In a copy of the process, for a snapshot: `folder` becomes the directory of a run that ends here. What could not
  /// be written, or "".
  std::string write_copy(RunOutcome& outcome, WorkloadRun& simulation, const std::string& folder) {
    directory_ = RunDirectory::create_exactly(folder);
    outcome.result.run_directory = folder;
    outputs_.json.clear();
    outputs_.dumps.clear();
    dumped_.clear();
    timelines_ = {};
    inputs_ = write_inputs(*directory_, prepared_);
    settle_status(outcome);
    record_.exit_code = static_cast<int>(exit_code(outcome, {}));
    write(outcome, simulation);
    return attempts_.missing().empty() ? "" : attempts_.error().message;
  }

  void settle_status(RunOutcome& outcome) {
    record_.status = name_of(status_);
    if (status_ == RunStatus::limit) {
      outcome.result.status = RunStatus::limit;
      LaunchStatistics& last = outcome.result.launches.back().statistics;
      if (last.status != RunStatus::ok) last.status = RunStatus::limit;
    }
    std::vector<Diagnostic> warnings;
    for (Diagnostic& warning : judged(outcome.warnings, console_.warnings)) {
      const bool error = warning.severity == Diagnostic::Severity::error;
      (error ? outcome.errors : warnings).push_back(std::move(warning));
    }
    outcome.warnings = std::move(warnings);
    record_.diagnostics.insert(record_.diagnostics.end(), outcome.warnings.begin(), outcome.warnings.end());
    record_.diagnostics.insert(record_.diagnostics.end(), outcome.errors.begin(), outcome.errors.end());
    record_.ended = utc_now();
  }

  void dump(WorkloadRun& simulation, std::size_t index) {
    const BufferSpec& buffer = prepared_.workload.buffers[dumped_[index]];
    write_npy(outputs_.dumps[index].second, buffer.type, simulation.buffer(dumped_[index]));
  }

  [[nodiscard]] std::vector<CheckedExpectation> check_expectations(const Result& result) const {
    std::vector<CheckedExpectation> checked;
    for (const std::string& text : outputs_.expectations) checked.push_back(evaluate_expectation(text, result));
    return checked;
  }

  [[nodiscard]] ExitCode exit_code(const RunOutcome& outcome,
                                   const std::vector<CheckedExpectation>& expectations) const {
    if (outcome.breaks_law()) return ExitCode::internal;
    switch (outcome.result.status) {
      case RunStatus::kernel_error:
        return ExitCode::kernel;
      case RunStatus::stuck:
        return ExitCode::stuck;
      case RunStatus::interrupted:
        return static_cast<ExitCode>(128 + caught_signal());
      case RunStatus::limit:
        if (stop_reason_ == Watch::StopReason::memory) return ExitCode::host_limit;
        if (outputs_.limit_is_error && stop_reason_ == Watch::StopReason::wall_time) return ExitCode::host_limit;
        break;
      case RunStatus::ok:
        if (!outcome.errors.empty()) return ExitCode::kernel;  // a warning that -W makes an error
        break;
    }
    bool passed = outcome.result.outputs_ok();
    for (const CheckedExpectation& expectation : expectations) passed = passed && expectation.pass;
    return passed ? ExitCode::done : ExitCode::check_failed;
  }

  void write_timelines_of(const Result& result, const std::string& directory) {
    if (!timelines_.any()) return;
    attempts_.attempt("timelines", [&] {
      record_.timelines = write_timelines(timelines_, recorder_, result, prepared_.machine.spec, directory);
    });
    if (!waveform_) return;
    attempts_.attempt("pipeline.vcd.gz", [&] { record_.timelines.push_back(write_waveform(*waveform_, directory)); });
  }

  /// What matters most comes first and is small; a file that cannot be written keeps none of the others away.
  void write(const RunOutcome& outcome, WorkloadRun& simulation) {
    if (directory_) {
      write_record(outcome);
      attempts_.attempt("stats.json", [&] { write_statistics(*directory_, outcome.result); });
    }
    if (!outputs_.json.empty() && outputs_.json != "-")
      attempts_.attempt(outputs_.json, [&] { write_file(outputs_.json, stats_json(outcome.result)); });
    for (std::size_t i = 0; i < dumped_.size(); ++i)
      attempts_.attempt(outputs_.dumps[i].second, [&] { dump(simulation, i); });
    if (!directory_) return write_timelines_of(outcome.result, "");
    write_tables(*directory_, outcome.result, attempts_);
    write_timelines_of(outcome.result, directory_->path());
    record_.stage = RunRecord::Stage::written;
    write_record(outcome);
    if (outputs_.report) write_page(outcome.result);
    if (outputs_.database) attempts_.attempt("run.sqlite", [&] { write_run_database(directory_->path()); });
    settle_missing();
    if (!attempts_.missing().empty()) write_record(outcome);
    attempts_.attempt("index.csv", [&] {
      directory_->append_to_index(index_header(), index_line(*directory_, prepared_, outcome.result, record_));
    });
  }

  /// Waits for what the live view was asked for; the results of the run are there already.
  void finish_live(const RunOutcome& outcome) {
    const std::vector<TimelineNote> notes = live_->finish(record_.status);
    record_.timelines.insert(record_.timelines.end(), notes.begin(), notes.end());
    if (directory_ && !notes.empty()) write_record(outcome);
  }

  void write_record(const RunOutcome& outcome) {
    record_.missing = attempts_.missing();
    attempts_.attempt("run.json",
                      [&] { teslasim::write_record(*directory_, prepared_, outcome.result, record_, inputs_); });
  }

  void write_page(const Result& result) {
    attempts_.attempt("report.html", [&] {
      FinishedRun run = finished_run(result, run_label(directory_->path()));
      run.identity = identity_of(record_, inputs_);
      if (!timelines_.recording.lane_pcs.empty()) run.lanes = recorder_.lanes();
      write_report({run}, directory_->file("report.html"));
    });
  }

  void settle_missing() {
    if (!attempts_.missing().empty()) record_.exit_code = static_cast<int>(ExitCode::environment);
  }

  void tell(const RunOutcome& outcome, const std::vector<CheckedExpectation>& expectations) {
    if (!console_.quiet) print_diagnostics(outcome.warnings, console_.errors);
    print_diagnostics(outcome.errors, console_.errors);
    if (!attempts_.missing().empty()) print_diagnostics({attempts_.error()}, console_.errors);
    if (outcome.result.status == RunStatus::interrupted) tell_interruption(outcome.result);
    if (stop_reason_ == Watch::StopReason::memory)
      print_diagnostics({memory_limit_error(outputs_.max_rss_mb)}, console_.errors);
    if (outputs_.limit_is_error && stop_reason_ == Watch::StopReason::wall_time)
      print_diagnostics({time_limit_error(outputs_.max_seconds)}, console_.errors);
    const bool json = outputs_.json == "-";
    if (json) print_result(stats_json(outcome.result));
    if (!json && !console_.quiet)
      print_result(summary(outcome.result, results_on_terminal() ? Bars::drawn : Bars::none));
    if (expectations.empty()) return;
    json ? print_notice(expectation_report(expectations)) : print_result(expectation_report(expectations));
  }

  void tell_interruption(const Result& result) const {
    const LaunchResult& last = result.launches.back();
    if (last.statistics.status == RunStatus::ok) {
      return print_notice(fmt::format("interrupted behind launch {} of {}; statistics are complete up to there\n",
                                      result.launches_run() - 1, result.planned_launches));
    }
    // The functional mode has no cycles.
    const bool timed = prepared_.settings.mode == Mode::timing;
    const std::string place = timed ? fmt::format("at cycle {} of", grouped(last.cycles().count())) : "in";
    print_notice(fmt::format("interrupted {} launch {} ({} % of blocks); statistics are complete up to there\n", place,
                             result.launches_run() - 1, last.percent_done()));
  }

  ConsoleOptions console_;
  RunOutputs outputs_;
  TimelineRequest timelines_;
  PreparedRun prepared_;
  std::string note_;  ///< see reason_for_one_thread
  PipelineRecorder recorder_;
  std::optional<WaveformFile> waveform_;
  RunRecord record_;
  std::vector<std::size_t> dumped_;
  std::optional<RunDirectory> directory_;
  std::vector<RecordedInput> inputs_;
  WriteAttempts attempts_;
  std::optional<LiveSession> live_;  ///< from when everything is known to be right
  Watch::StopReason stop_reason_ = Watch::StopReason::none;
  RunStatus status_ = RunStatus::ok;
};

}  // namespace

std::vector<Option> options_of_run() {
  return all_options();
}

int run_command(const Arguments& arguments) {
  const std::vector<Option> own = all_options();
  const ParsedOptions options = parse_options(arguments, with_common(own), "run");
  if (answered_help(options, "run", own)) return 0;
  const ConsoleOptions console = console_options(options);
  configure_log(console.verbosity);
  drop_remarks(console.quiet);
  return RunSession(arguments, options).run();
}

}  // namespace teslasim
