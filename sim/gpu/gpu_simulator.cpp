// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/gpu_simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/engine/simulation.h"
#include "sim/engine/waveform.h"
#include "sim/exec/execution_stream.h"
#include "sim/exec/kernel_placement.h"
#include "sim/gpu/cache_counters.h"
#include "sim/gpu/floor_plan/gpu.h"
#include "sim/gpu/launch_facts.h"
#include "sim/gpu/launch_halts.h"
#include "sim/gpu/launch_totals.h"
#include "sim/gpu/machine_snapshot.h"
#include "sim/gpu/recording/interval_recorder.h"
#include "sim/gpu/recording/live_recording.h"
#include "sim/gpu/recording/pipeline_recorder.h"
#include "sim/gpu/region_counters.h"

namespace teslasim {
namespace {

Femtoseconds limit_of(SpCycle shader_cycles, Femtoseconds sm_period) {
  return shader_cycles == never ? never : whole_sm_cycles(shader_cycles + 1) * sm_period;
}

}  // namespace

/// The state of one launch on the GPU.
class GpuSimulator::Implementation final : public CompletionReceiver, public KernelErrorReceiver {
 public:
  Implementation(const MachineSpec& machine, const TimingOptions& options)
      : options_(options), machine_(machine), gpu_("gpu", machine_, options) {}

  LaunchOutcome run(const Launch& launch, const RunControl& control);
  void record(PipelineRecorder* recorder) { pipelines_ = recorder; }
  void step_with(LaunchStepper* stepper) { halts_.serve(stepper); }
  void show_in(WaveformRequest request) { wanted_waveform_ = std::move(request); }
  std::optional<WaveformFile> finish_waveform();
  [[nodiscard]] std::optional<LaunchLook> look() const {
    return launch_ == nullptr ? std::nullopt : std::optional(look_at(gpu_, *counted_));
  }
  [[nodiscard]] std::string snapshot() const { return launch_ == nullptr ? "" : machine_snapshot(gpu_, *launch_); }
  bool begin_recording(PipelineRecorder& recorder);
  void drop_recording() { live_.drop(gpu_); }
  void completed(const MemoryTransaction& transaction) override;
  void kernel_failed(SmIndex sm, Femtoseconds when, const InputError& error) override;

 private:
  void keep_series(Series series);
  void observe_memory();
  void begin_waveform();
  void begin_sm(SmIndex sm, const Launch& launch, LaunchStatistics& statistics);
  void begin(const Launch& launch, const RunControl& control, LaunchStatistics& statistics);
  RunEnd simulate(const RunControl& control, LaunchOutcome& outcome);
  [[nodiscard]] bool memory_idle() const;
  [[nodiscard]] Progress progress() const;
  [[nodiscard]] SmCycle last_issue() const;
  [[nodiscard]] SmCycle end_cycle(RunEnd end, Femtoseconds now) const;
  void collect(const Launch& launch, SmCycle end, LaunchStatistics& statistics);
  [[nodiscard]] std::string barrier_cause() const;

  TimingOptions options_;
  MachineSpec machine_;
  Simulation simulation_;
  Gpu gpu_;
  std::vector<std::unique_ptr<WarpStream>> streams_;
  RegionCounters counters_;
  std::unique_ptr<IntervalRecorder> recorder_;
  PipelineRecorder* pipelines_ = nullptr;
  LaunchHalts halts_;
  std::optional<WaveformRequest> wanted_waveform_;
  std::unique_ptr<Waveform> waveform_;
  std::vector<InstructionTiming> timing_;
  Scoreboard::Sets register_sets_ = Scoreboard::Sets::any;
  const LaunchStatistics* counted_ = nullptr;
  const Launch* launch_ = nullptr;  ///< under way; null: none
  std::size_t launches_ = 0;        ///< before it
  LiveRecording live_;
  std::uint64_t blocks_ = 0;
  FirstFailure failure_;
};

void GpuSimulator::Implementation::completed(const MemoryTransaction& transaction) {
  MemoryAccess& access = *transaction.access;
  access.served |= transaction.lanes;
  if (access.served == access.lanes) streams_[transaction.sm]->release(access);
}

void GpuSimulator::Implementation::kernel_failed(SmIndex sm, Femtoseconds when, const InputError& error) {
  failure_.tell(sm, when, error, [this, when] { gpu_.island().stop_after(when); });
}

void GpuSimulator::Implementation::keep_series(Series series) {
  recorder_.reset();
  if (!options_.intervals || series == Series::none) return;
  const auto partitions = static_cast<unsigned>(gpu_.partitions().size());
  const unsigned boxes = gpu_.regions().several() ? partitions + 1 : 1;
  recorder_ = std::make_unique<IntervalRecorder>(machine_.sms(), partitions, gpu_.sm_period(), boxes);
}

void GpuSimulator::Implementation::observe_memory() {
  const auto observer = [this](unsigned box) { return recorder_ ? &recorder_->traffic(box) : nullptr; };
  gpu_.observe_crossbar(observer(0));
  for (unsigned partition = 0; partition < gpu_.partitions().size(); ++partition)
    gpu_.observe_partition(partition, observer(gpu_.regions().several() ? partition + 1 : 0));
}

/// SystemC's tracer writes its first values at the end of a time step, so the file is made behind elaboration.
void GpuSimulator::Implementation::begin_waveform() {
  if (!wanted_waveform_ || waveform_) return;
  SIM_CHECK(pipelines_ != nullptr, "a waveform needs a recorder, which knows the window");
  std::string legend = " slot and state:";
  for (unsigned i = 0; i < slot_reason_count; ++i) legend += fmt::format("\n {} = {}", i, slot_reasons[i].name);
  waveform_ = std::make_unique<Waveform>(wanted_waveform_->path, wanted_waveform_->most_bytes,
                                         fmt::format(" {}; times are femtoseconds\n{}", machine_.name, legend));
  waveform_->show_in([this](Femtoseconds now) { return pipelines_->shows(now / gpu_.sm_period()); });
  gpu_.show_in(*waveform_, wanted_waveform_->sms);
}

std::optional<WaveformFile> GpuSimulator::Implementation::finish_waveform() {
  if (!waveform_) return std::nullopt;
  waveform_->close();
  return WaveformFile{waveform_->path(), waveform_->changes(), waveform_->dropped(), waveform_->problem()};
}

void GpuSimulator::Implementation::begin(const Launch& launch, const RunControl& control,
                                         LaunchStatistics& statistics) {
  statistics.kernel = launch.kernel->name;
  statistics.grid = launch.grid;
  statistics.block = launch.block;
  statistics.occupancy = occupancy_of(machine_, launch);
  statistics.profiler.strict = machine_.coalescing.rules == "cc10";
  statistics.overhead = overhead_of(machine_.launch, launch);
  statistics.ctas_total = blocks_ = control.blocks.count_in(launch.blocks());
  statistics.sms.resize(machine_.sms());
  for (SmStatistics& sm : statistics.sms) {
    sm.banks.banks = machine_.sm.shared.banks;
    sm.block_times.reserve(std::min<std::uint64_t>(blocks_, SmStatistics::most_block_times));
  }
  if (control.series != Series::none) {
    for (const unsigned sm : options_.warp_sms) statistics.sms.at(sm).warps.keep(blocks_ * launch.warps_per_block());
  }
  statistics.pcs.resize(launch.kernel->code.size());
  for (PcStatistics& pc : statistics.pcs) pc.blamed.reserve(RegionCounters::usually_blamed);
  SIM_CHECK(statistics.occupancy.ctas_per_sm != 0, "the launch does not fit the machine");

  const bool in_order = pipelines_ != nullptr || may_read_texels_it_writes(*launch.kernel);
  gpu_.island().set_order(in_order ? Island::Order::of_time : Island::Order::regions_at_once);
  Simulation::begin_launch(gpu_.island());
  begin_waveform();
  keep_series(control.series);
  observe_memory();
  if (pipelines_ != nullptr) {
    pipelines_->begin_launch(launch, find_coalescing_rules(machine_.coalescing.rules),
                             {machine_.sm.shared.banks, machine_.sm.shared.access_group},
                             {gpu_.sm_period(), gpu_.memory_period()});
  }
  gpu_.observe_commands(pipelines_ == nullptr ? nullptr : pipelines_->observe_dram());
  timing_ = timing_of(*launch.kernel, machine_.sm);
  register_sets_ = put_registers_in_one_word(timing_) ? Scoreboard::Sets::one_word : Scoreboard::Sets::any;
  streams_.clear();
  counted_ = &statistics;
  counters_.begin(statistics, gpu_.regions().with_tpcs());
  for (SmIndex sm = 0; sm < machine_.sms(); ++sm) begin_sm(sm, launch, statistics);
  halts_.begin(gpu_, launch, streams_, blocks_);
  gpu_.begin_memory(*launch.memory, *this);
  if (control.block_ends != nullptr) control.block_ends->reserve(blocks_);
  gpu_.block_scheduler().begin_launch({control.blocks.first, control.blocks.end_in(launch.blocks())},
                                      statistics.occupancy.ctas_per_sm, control.block_ends);
}

void GpuSimulator::Implementation::begin_sm(SmIndex sm, const Launch& launch, LaunchStatistics& statistics) {
  const unsigned tpc = sm / machine_.gpu.sms_per_tpc;
  ExecutionStreamOptions options;
  options.block_slots = machine_.gpu.block_slots();
  options.warp_slots = machine_.gpu.max_warps_per_sm;
  options.divergence_stack = machine_.sm.divergence_stack;
  options.limited_calls = machine_.sm.limited_calls;
  options.sm = sm;
  options.tpc = tpc;
  options.sm_in_tpc = sm % machine_.gpu.sms_per_tpc;
  options.memory_effect = MemoryEffect::at_partition;
  streams_.push_back(make_stream(options_.stream, launch, options));
  SmLaunch sm_launch;
  sm_launch.launch = &launch;
  sm_launch.timing = &timing_;
  sm_launch.register_sets = register_sets_;
  sm_launch.pcs = &counters_.pcs(gpu_.regions().of_tpc(tpc));
  sm_launch.stream = streams_.back().get();
  sm_launch.statistics = &statistics.sms[sm];
  sm_launch.code = KernelPlacement::code(launch);
  sm_launch.block_limit = statistics.occupancy.ctas_per_sm;
  sm_launch.block_pace = gpu_.block_pace();
  sm_launch.performed = &counters_.performed(gpu_.regions().of_tpc(tpc));
  if (recorder_) sm_launch.intervals = &recorder_->sm(sm);
  sm_launch.observer = pipelines_ != nullptr ? pipelines_->observe(sm, streams_.back().get()) : halts_.observe(sm);
  if (sm == 0) sm_launch.sm_profile = &statistics.profiler;
  if (tpc == 0) sm_launch.tpc_profile = &statistics.profiler;
  gpu_.sms()[sm]->begin_launch(sm_launch, *this);
}

SmCycle GpuSimulator::Implementation::last_issue() const {
  SmCycle latest = 0;
  for (SmModule* sm : gpu_.sms()) latest = std::max(latest, sm->core().last_issue());
  return latest;
}

Progress GpuSimulator::Implementation::progress() const {
  Progress progress;
  progress.ctas_total = blocks_;
  for (const SmStatistics& sm : counted_->sms) {
    progress.ctas_done += sm.blocks;
    progress.warp_instructions += sm.warp_instructions;
  }
  progress.shader_cycles = sp_cycles(last_issue());
  return progress;
}

/// An external memory model may never answer.
bool GpuSimulator::Implementation::memory_idle() const {
  const auto& partitions = gpu_.partitions();
  return std::all_of(partitions.begin(), partitions.end(), [](const auto& one) { return one->core().idle(); });
}

RunEnd GpuSimulator::Implementation::simulate(const RunControl& control, LaunchOutcome& outcome) {
  RunRequest request;
  const BlockScheduler& scheduler = gpu_.block_scheduler().core();
  request.limit = limit_of(control.max_shader_cycles, gpu_.sm_period());
  request.stuck_after = limit_of(control.stuck_shader_cycles, gpu_.sm_period());
  request.work_left = [this, &scheduler] { return !scheduler.done() || !memory_idle(); };
  request.last_progress = [this] { return last_issue() * gpu_.sm_period(); };
  if (control.watch) {
    request.watcher = [this, &control](Femtoseconds) {
      return control.watch(progress()) == Verdict::interrupt ? Island::Wish::stop : Island::Wish::go_on;
    };
  }
  if (halts_.wanted()) request.stretch = [this] { return halts_.next(gpu_, failure_.diagnostics()); };
  const RunResult result = Simulation::run(gpu_.island(), request);
  outcome.statistics.status = status_of(result.end);
  if (outcome.statistics.status == RunStatus::stuck) {
    const LastSign last = result.end == RunEnd::dead_end ? LastSign::dead_end : LastSign::live_lock;
    outcome.errors.push_back(stuck_report(last, sp_cycles(last_issue()), result.pending, barrier_cause()));
  }
  return result.end;
}

/// A finished launch ends with its last block completion or memory transaction, whichever is later. One that was cut
/// off ends where it was cut: at a limit exactly there, otherwise behind every SM.
SmCycle GpuSimulator::Implementation::end_cycle(RunEnd end, Femtoseconds now) const {
  const Femtoseconds period = gpu_.sm_period();
  Femtoseconds last = now;
  if (end == RunEnd::finished || end == RunEnd::dead_end) {
    last = 0;
    for (const auto& partition : gpu_.partitions()) last = std::max(last, partition->core().last_completion());
  }
  if (end == RunEnd::finished) last = std::max(last, gpu_.block_scheduler().core().last_completion());
  SmCycle cycle = (last + period - 1) / period;
  for (SmModule* sm : gpu_.sms()) cycle = std::max(cycle, end == RunEnd::finished ? SmCycle{0} : sm->progress());
  return cycle;
}

void GpuSimulator::Implementation::collect(const Launch& launch, SmCycle end, LaunchStatistics& statistics) {
  counters_.finish();
  statistics.shader_cycles = sp_cycles(end);
  statistics.duration = end * gpu_.sm_period();
  for (unsigned i = 0; i < machine_.sms(); ++i) {
    Sm& sm = gpu_.sms()[i]->core();
    sm.finish(end);
    statistics.ctas_done += statistics.sms[i].blocks;
    statistics.sms[i].block_times.shrink_to_fit();
    statistics.sms[i].warps.first.shrink_to_fit();
    statistics.active_lane_sum += sm.active_lanes();
    statistics.barriers += sm.blocks().barriers();
    for (const Pipe unit : {Pipe::mad, Pipe::sfu, Pipe::dp}) {
      statistics.unit_busy_cycles[static_cast<unsigned>(unit)] += sm.execute().units().busy_cycles(unit).count();
    }
    statistics.unit_busy_cycles[static_cast<unsigned>(Pipe::memory)] += sm.execute().load_store().busy_cycles().count();
    statistics.pipeline.operand_wait_cycles += sm.execute().registers().read_conflict_cycles().count();
    statistics.pipeline.write_wait_cycles += sm.execute().registers().write_conflict_cycles().count();
    statistics.pipeline.collector_full_cycles += sm.execute().units().collecting_cycles().count();
    statistics.pipeline.dual_issued_mul += sm.execute().units().sfu_multiplications();
    statistics.load_requests += sm.execute().load_store().loads_sent();
    statistics.load_responses += sm.execute().load_store().loads_returned();
    statistics.store_requests += sm.execute().load_store().stores_sent();
    statistics.atomic_requests += sm.execute().load_store().atomics_sent();
    statistics.atomic_bytes += sm.execute().load_store().atomic_bytes();
  }
  for (const auto& partition : gpu_.partitions()) {
    statistics.partitions.push_back(partition->core().statistics(statistics.duration));
    statistics.stores_performed += partition->core().stores_performed();
    statistics.request_latency += partition->core().latency();
    statistics.textures += partition->core().texture_statistics();
  }
  for (const auto& tpc : gpu_.tpcs()) {
    statistics.request_latency += tpc->core().latency();
    statistics.tlb.l1_look_ups += tpc->core().tlb_look_ups();
    statistics.tlb.l1_misses += tpc->core().tlb_misses();
    statistics.textures += tpc->textures().statistics();
  }
  const MemoryManagementUnit& management = gpu_.management().core();
  statistics.tlb.l2_look_ups = management.look_ups();
  statistics.tlb.walks = management.walks();
  statistics.tlb.walk_bytes = management.walks() * MemoryManagementUnit::entry_read_bytes;
  statistics.request_latency += gpu_.constant_l3().reader().latency();
  add_cache_counters(gpu_, machine_.gpu.sms_per_tpc, statistics);
  add_totals(statistics, *launch.kernel);
  if (recorder_) statistics.intervals = recorder_->finish(end);
  if (pipelines_ != nullptr) pipelines_->finish_launch(end);
  live_.finish_launch(end);
}

bool GpuSimulator::Implementation::begin_recording(PipelineRecorder& recorder) {
  if (launch_ == nullptr || pipelines_ != nullptr || live_.active()) return false;
  live_.begin(recorder, gpu_, machine_, *launch_, launches_);
  return true;
}

std::string GpuSimulator::Implementation::barrier_cause() const {
  std::string cause;
  for (const SmModule* sm : gpu_.sms()) {
    if (cause.empty()) cause = sm->core().barrier_cause();
  }
  return cause;
}

LaunchOutcome GpuSimulator::Implementation::run(const Launch& launch, const RunControl& control) {
  // Those who look between launches must not find one that ended by an exception.
  struct UnderWay {
    Implementation& simulator;
    ~UnderWay() {
      simulator.counted_ = nullptr;
      simulator.launch_ = nullptr;
    }
  };
  LaunchOutcome outcome;
  launch_ = &launch;
  const UnderWay under_way{*this};
  begin(launch, control, outcome.statistics);
  failure_.begin();
  RunEnd end = simulate(control, outcome);
  if (failure_.happened()) {
    end = RunEnd::interrupted;
    outcome.statistics.status = RunStatus::kernel_error;
    outcome.errors = failure_.take();
  }
  halts_.ended(gpu_, outcome);
  collect(launch, end_cycle(end, gpu_.island().now()), outcome.statistics);
  ++launches_;
  return outcome;
}

GpuSimulator::GpuSimulator(const MachineSpec& machine, const TimingOptions& options)
    : implementation_(std::make_unique<Implementation>(machine, options)) {}
GpuSimulator::~GpuSimulator() = default;

void GpuSimulator::record(PipelineRecorder* recorder) {
  implementation_->record(recorder);
}

void GpuSimulator::step_with(LaunchStepper* stepper) {
  implementation_->step_with(stepper);
}

void GpuSimulator::show_in(WaveformRequest request) {
  implementation_->show_in(std::move(request));
}

std::optional<WaveformFile> GpuSimulator::finish_waveform() {
  return implementation_->finish_waveform();
}

std::optional<LaunchLook> GpuSimulator::look() const {
  return implementation_->look();
}

std::string GpuSimulator::snapshot() const {
  return implementation_->snapshot();
}

bool GpuSimulator::begin_recording(PipelineRecorder& recorder) {
  return implementation_->begin_recording(recorder);
}

void GpuSimulator::drop_recording() {
  implementation_->drop_recording();
}

LaunchOutcome GpuSimulator::run(const Launch& launch, const RunControl& control) {
  return implementation_->run(launch, control);
}

}  // namespace teslasim
