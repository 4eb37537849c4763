// SPDX-License-Identifier: Apache-2.0
#include "sim/run/workload_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

#include "frontend/workload/references/check.h"
#include "sim/gpu/launch_check.h"
#include "sim/gpu/machine/occupancy.h"
#include "sim/report/result/conservation.h"
#include "sim/report/result/digest.h"
#include "sim/report/result/merged_launches.h"
#include "sim/run/calibration_cache.h"
#include "sim/run/device_launch.h"
#include "sim/run/resident_memory.h"
#include "sim/run/result_parts.h"
#include "sim/run/sampled_model.h"
#include "sim/run/sm_choice.h"
#include "sim/run/trace_workload.h"
#include "sim/run/usage_error.h"
#include "sim/trace/trace_stream.h"

namespace teslasim {
namespace {

constexpr const char* broken_law = "CONSERVATION";

/// The word of the machine for names of folders: the last preset or file, without folder and extension.
std::string machine_word(const std::vector<std::string>& configs) {
  if (configs.empty()) return default_machine;
  return std::filesystem::path(configs.back()).filename().replace_extension().string();
}

/// Collects what two independent readers have to say before giving up.
class Collector {
 public:
  template <typename Read>
  auto read(Read function) -> decltype(function()) {
    try {
      return function();
    } catch (const InputError& error) {
      if (diagnostics_.empty()) exit_code_ = error.exit_code();
      diagnostics_.insert(diagnostics_.end(), error.diagnostics().begin(), error.diagnostics().end());
      return {};
    }
  }
  void add(ExitCode exit_code, const std::vector<Diagnostic>& diagnostics) {
    if (diagnostics_.empty()) exit_code_ = exit_code;
    diagnostics_.insert(diagnostics_.end(), diagnostics.begin(), diagnostics.end());
  }
  [[nodiscard]] bool empty() const { return diagnostics_.empty(); }
  void throw_if_any() {
    if (!diagnostics_.empty()) throw InputError(exit_code_, diagnostics_);
  }

 private:
  ExitCode exit_code_ = ExitCode::input;
  std::vector<Diagnostic> diagnostics_;
};

/// One diagnostic per broken law: the first violation, and how many more there are.
std::vector<Diagnostic> broken_laws(const LaunchStatistics& launch) {
  std::map<std::string_view, std::vector<Violation>> by_law;
  for (const Violation& violation : check_conservation(launch)) by_law[violation.law].push_back(violation);
  std::vector<Diagnostic> diagnostics;
  for (const auto& [law, violations] : by_law) {
    Diagnostic diagnostic;
    diagnostic.code = broken_law;
    diagnostic.message = "kernel " + launch.kernel + ": a law does not hold: " + describe(violations.front());
    if (violations.size() > 1)
      diagnostic.notes.push_back(fmt::format("and {} more of this law", violations.size() - 1));
    diagnostic.help = "this is a bug in teslasim: please report it with the inputs of this run";
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

OutputCheck output_check(const CheckResult& check) {
  OutputCheck output{check.buffer, check.ok, check.elements, check.mismatches, ""};
  if (!check.first.empty()) {
    const Mismatch& first = check.first.front();
    output.first_difference = fmt::format("[{}] is {}, expected {}", first.index, first.got, first.expected);
  }
  return output;
}

/// The scheduler numbered the blocks that ran from 0 on.
void name_as_chosen(LaunchStatistics& statistics, const ChosenBlocks& chosen) {
  for (SmStatistics& sm : statistics.sms) {
    for (BlockTimes& times : sm.block_times) times.block = static_cast<std::uint32_t>(chosen.at(times.block));
    for (WarpTimes& warp : sm.warps.first) warp.block = static_cast<std::uint32_t>(chosen.at(warp.block));
  }
}

/// How long the launch takes, as far as that is known.
SpCycle cycles_of(const ModelledLaunch& modelled) {
  return modelled.sample ? modelled.sample->cycles : modelled.outcome.statistics.shader_cycles;
}

void add_counters(const LaunchStatistics& statistics, const BlockSample* sample, Digest& digest) {
  digest.add(statistics);
  if (sample != nullptr) digest.add(*sample);
}

/// About the first SM on which there was one.
std::optional<Diagnostic> partial_barrier_warning(const std::deque<PartialBarriers>& streams) {
  std::optional<Diagnostic> warning;
  std::uint64_t count = 0;
  for (const PartialBarriers& stream : streams) {
    count += stream.count;
    if (!warning) warning = stream.first;
  }
  if (count > 1) warning->notes.push_back(fmt::format("and {} more times in this launch", count - 1));
  return warning;
}

/// A sample wants all blocks of a launch, and time.
void check_sample(const RunSettings& settings, const TraceReader* trace) {
  if (!settings.sample) return;
  const char* const leave_out = "leave one of them out";
  if (settings.mode == Mode::functional)
    usage_error("CLI-VALUE", "--sample extrapolates a time, and --mode functional has none", leave_out);
  if (!settings.blocks.blocks.empty() || !settings.blocks.sms.empty())
    usage_error("CLI-VALUE", "--sample runs all blocks, and --blocks and --sms choose some", leave_out);
  if (trace == nullptr) return;
  usage_error("CLI-TRACE", "--sample runs most blocks by function, and a trace computes nothing",
              "replay some of its blocks with --blocks, or sample the kernel that it was recorded from");
}

/// Whether machine and workload fit together, and what the settings choose of the launches.
void check_together(PreparedRun& prepared, RunSettings settings) {
  Collector collector;
  check_sample(settings, prepared.trace.get());
  prepared.chosen = choose_blocks(settings.blocks, prepared.workload, prepared.trace.get());
  const auto sampled = [](const ChosenBlocks& blocks) { return !blocks.empty(); };
  if (std::any_of(prepared.chosen.begin(), prepared.chosen.end(), sampled)) prepared.workload.expectations.clear();
  for (const LaunchSpec& launch : prepared.workload.launches) {
    collector.add(ExitCode::configuration, check_launch(prepared.machine.spec, launch_demand(launch)));
  }
  collector.throw_if_any();
  prepared.details = LaunchDetails::parse(settings.launch_details, prepared.workload.launches.size());
  (void)warp_sms(settings, prepared.machine.spec);  // says what is wrong with the choice
  prepared.machine_word = machine_word(settings.configs);
  prepared.settings = std::move(settings);
}

}  // namespace

bool RunOutcome::breaks_law() const {
  return std::any_of(errors.begin(), errors.end(), [](const Diagnostic& error) { return error.code == broken_law; });
}

PreparedRun prepare(RunSettings settings) {
  PreparedRun prepared;
  Collector collector;
  prepared.machine = collector.read([&] { return load_machine(settings.configs, settings.sets); });
  ReadOptions code_options;
  code_options.allow_unaligned = settings.workload.allow_unaligned;
  if (collector.empty()) {
    code_options.machine_sm = static_cast<std::uint8_t>(prepared.machine.spec.sm_level());
    code_options.machine = machine_word(settings.configs);
  }
  prepared.workload = collector.read([&] {
    refuse_unconverted_trace(settings.workload.input);
    if (!is_trace_file(settings.workload.input)) return load_workload(settings.workload, code_options);
    refuse_launch_of_trace(settings.workload);
    prepared.trace = std::make_shared<TraceReader>(settings.workload.input);
    return traced_workload(*prepared.trace, code_options);
  });
  collector.throw_if_any();
  if (prepared.trace) add_replay_warnings(*prepared.trace, machine_word(settings.configs), prepared.workload);
  check_together(prepared, std::move(settings));
  prepared.calibration = chosen_calibration(prepared.settings.calibration, prepared.machine);
  return prepared;
}

PreparedRun prepare(RunSettings settings, LoadedMachine machine, Workload workload,
                    std::optional<Calibration> calibration) {
  PreparedRun prepared;
  prepared.machine = std::move(machine);
  prepared.workload = std::move(workload);
  prepared.calibration = std::move(calibration);
  check_together(prepared, std::move(settings));
  return prepared;
}

WorkloadRun::WorkloadRun(const PreparedRun& prepared, Profiling profiling)
    : prepared_(prepared),
      addresses_(place_buffers(prepared.workload, memory_)),
      own_model_(std::make_unique<StandingModel>(prepared.settings, profiling, prepared.machine.spec,
                                                 prepared.calibration ? &*prepared.calibration : nullptr)),
      model_(own_model_.get()) {
  serve_model();
}

WorkloadRun::WorkloadRun(const PreparedRun& prepared, StandingModel& model)
    : prepared_(prepared), addresses_(place_buffers(prepared.workload, memory_)), model_(&model) {
  serve_model();
}

void WorkloadRun::serve_model() {
  model_->serve(
      [this](const Launch& launch, const ExecutionStreamOptions& stream) { return stream_for(launch, stream); },
      [this] { return !prepared_.trace && !writer_; });
}

WorkloadRun::~WorkloadRun() = default;

void WorkloadRun::record_to(const std::string& path, const TraceSelection& selection) {
  const bool timed = prepared_.settings.mode == Mode::timing;
  TraceHeader header = trace_header(prepared_.workload, addresses_, prepared_.machine_word, timed);
  header.sampled = selection.labels();
  writer_ = std::make_unique<TraceWriter>(path, header);
  order_ = std::make_unique<LaunchOrder>();
  recording_ = {writer_.get(), order_.get(), 0, timed, selection};
}

void WorkloadRun::record_pipelines(PipelineRecorder& recorder) {
  model().record(recorder);
}

std::unique_ptr<WarpStream> WorkloadRun::stream_for(const Launch& /*scheduled*/,
                                                    const ExecutionStreamOptions& options) {
  ExecutionStreamOptions watched = options;
  if (watched.partial_barriers == nullptr) watched.partial_barriers = &partial_barriers_.emplace_back();
  std::unique_ptr<WarpStream> stream = prepared_.trace
                                           ? replay_stream(launch_, options, *prepared_.trace, launch_number_)
                                           : make_stream({}, launch_, watched);
  if (writer_) stream = record_stream(std::move(stream), launch_, options, recording_);
  const ChosenBlocks& chosen = prepared_.chosen.at(launch_number_);
  return chosen.empty() ? std::move(stream) : stream_of_chosen(std::move(stream), chosen);
}

std::span<const std::byte> WorkloadRun::buffer(std::size_t index) {
  const BufferSpec& spec = prepared_.workload.buffers.at(index);
  return {memory_.at(addresses_.at(index)), spec.count * bytes_of(spec.type)};
}

ModelledLaunch WorkloadRun::run_launch(const LaunchSpec& spec, const RunControl& control) {
  const MachineSpec& machine = prepared_.machine.spec;
  launch_ = launch_of(spec, addresses_, memory_, machine.sm_level());
  // A sampled launch is scheduled as a smaller grid; its blocks keep their numbers and see the whole one.
  Launch launch = launch_;
  const ChosenBlocks& chosen = prepared_.chosen.at(launch_number_);
  if (!chosen.empty()) launch.grid = {static_cast<std::uint32_t>(chosen.size()), 1, 1};
  recording_.launch = launch_number_;
  if (order_) order_->begin(launch_number_, *launch.kernel, launch.warps_per_block());
  ModelledLaunch modelled = model().run(launch, control);
  LaunchStatistics& statistics = modelled.outcome.statistics;
  statistics.kernel = spec.kernel;
  statistics.grid = spec.grid;
  statistics.block = spec.block;
  statistics.occupancy = compute_occupancy(machine, occupancy_demand(spec));
  if (!chosen.empty()) name_as_chosen(statistics, chosen);
  return modelled;
}

void WorkloadRun::check_outputs(Result& result) {
  std::vector<OutputCheck> checks;
  for (const Expectation& expectation : prepared_.workload.expectations) {
    checks.push_back(
        output_check(check(expectation, prepared_.workload, [this](std::size_t index) { return buffer(index); })));
  }
  const std::uint64_t last = prepared_.workload.launches.size() - 1;
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    LaunchResult& launch = result.launches[i];
    if ((launch.merged ? launch.merged->last : result.number_of(i)) != last) continue;
    launch.outputs = std::move(checks);
    return;
  }
}

void WorkloadRun::put_digests(Result& result) {
  result.counters_digest = counters_.value();
  for (std::size_t i = 0; i < addresses_.size(); ++i) counters_.add(prepared_.workload.buffers[i].name, buffer(i));
  result.digest = counters_.value();
}

RunControl WorkloadRun::control_of(std::size_t launch, SpCycle used, const LaunchWatch& watch) const {
  RunControl control;
  const SpCycle most = prepared_.settings.max_cycles;
  if (most != never) control.max_shader_cycles = most - std::min(used, most);
  if (!prepared_.details.alone(launch)) control.series = Series::none;
  if (watch) control.watch = [&watch, launch](const Progress& progress) { return watch(launch, progress); };
  return control;
}

/// Puts a launch that ended into the result: on its own, or into the sum of its kernel. One that did not end stands on
/// its own, whatever was asked for.
void WorkloadRun::keep(std::size_t launch, ModelledLaunch modelled, Result& result) {
  LaunchStatistics& statistics = modelled.outcome.statistics;
  const BlockSample* sample = modelled.sample ? &*modelled.sample : nullptr;
  add_counters(statistics, sample, counters_);
  if (listener_) {
    Digest own;
    add_counters(statistics, sample, own);
    listener_(launch, statistics, sample, own.value());
  }
  const Kernel& kernel = prepared_.workload.launches[launch].kernel_code();
  const bool alone = prepared_.details.alone(launch) || statistics.status != RunStatus::ok;
  LaunchResult kept;
  kept.statistics = std::move(statistics);
  kept.predictions = std::move(modelled.predictions);
  kept.sample = modelled.sample;
  kept.sampled = kept.sample || !prepared_.chosen.at(launch).empty();
  kept.approximate = prepared_.trace && prepared_.trace->header().approximate;
  const auto sum = alone ? sums_.end() : sums_.find(&kernel);
  if (sum != sums_.end()) return add_launch(result.launches[sum->second], std::move(kept), launch);
  kept.listing = listing_of(kernel);
  kept.index = launch;
  if (!alone) {
    sums_[&kernel] = result.launches.size();
    begin_sum(kept, launch);
  }
  result.launches.push_back(std::move(kept));
}

/// Once for each launch, but not for thousands.
void WorkloadRun::warn_of(const ModelledLaunch& modelled, RunOutcome& outcome) {
  std::vector<Diagnostic> warnings;
  if (std::optional<Diagnostic> barriers = partial_barrier_warning(partial_barriers_))
    warnings.push_back(*std::move(barriers));
  if (modelled.sample && modelled.outcome.statistics.status == RunStatus::ok) {
    for (Diagnostic& warning : sample_warnings(modelled.outcome.statistics.kernel, *modelled.sample))
      warnings.push_back(std::move(warning));
  }
  if (outcome.warnings.size() >= LaunchDetails::most_by_default) return;
  outcome.warnings.insert(outcome.warnings.end(), warnings.begin(), warnings.end());
}

RunOutcome WorkloadRun::run(const LaunchWatch& watch) {
  const auto start = std::chrono::steady_clock::now();
  RunOutcome outcome;
  Result& result = outcome.result;
  result.name = prepared_.workload.name;
  result.machine = facts_of(prepared_.machine.spec);
  result.configuration = prepared_.machine.values;
  result.planned_launches = prepared_.workload.launches.size();
  SpCycle used = 0;  // a functional run has no cycles: its limit counts instructions
  for (std::size_t i = 0; i < prepared_.workload.launches.size() && result.status == RunStatus::ok; ++i) {
    // Launches may be too short for the models to look at the watch.
    if (i != 0 && watch && watch(i, Progress{}) == Verdict::interrupt) {
      result.status = RunStatus::interrupted;
      break;
    }
    launch_number_ = static_cast<std::uint32_t>(i);
    partial_barriers_.clear();
    ModelledLaunch modelled = run_launch(prepared_.workload.launches[i], control_of(i, used, watch));
    LaunchOutcome& launch = modelled.outcome;
    used += launch.statistics.timed ? cycles_of(modelled) : SpCycle(launch.statistics.warp_instructions);
    result.status = launch.statistics.status;
    outcome.errors.insert(outcome.errors.end(), launch.errors.begin(), launch.errors.end());
    warn_of(modelled, outcome);
    const std::vector<Diagnostic> broken = broken_laws(launch.statistics);
    outcome.errors.insert(outcome.errors.end(), broken.begin(), broken.end());
    keep(i, std::move(modelled), result);
  }
  if (writer_ && result.status == RunStatus::ok) {
    writer_->set_ordered_loads(order_->ordered_loads());
    writer_->finish();
  }
  result.host.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (result.status == RunStatus::ok && !result.launches.empty()) check_outputs(result);
  put_digests(result);
  result.host.rss_mb = resident_mb();
  return outcome;
}

}  // namespace teslasim
