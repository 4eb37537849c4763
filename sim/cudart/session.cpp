// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/session.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "frontend/cuda/include/cuda_runtime_api.h"
#include "sim/cudart/host_pointers.h"
#include "sim/cudart/launch_trace.h"
#include "sim/cudart/signal_end.h"
#include "sim/gpu/launch_check.h"
#include "sim/gpu/machine/occupancy.h"
#include "sim/run/console.h"
#include "sim/run/sampled_model.h"
#include "sim/run/signals.h"

namespace teslasim::cudart {
namespace {

LaunchDemand demand_of(const LoadedCode& code, const LoadedKernel& kernel, const LaunchShape& shape) {
  LaunchDemand demand;
  demand.kernel = kernel.name;
  demand.sm_level = code.module().sm;
  demand.grid = shape.grid;
  demand.block = shape.block;
  demand.registers_per_thread = kernel.kernel->registers;
  demand.most_threads = kernel.kernel->most_threads;
  demand.uses_double = needs_unit(*kernel.kernel, UnitClass::dp);
  const std::uint64_t shared = kernel.shared_bytes + shape.dynamic_shared_bytes;
  demand.shared_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(shared, UINT32_MAX));
  if (shape.site.file != nullptr) {
    demand.where.file = shape.site.file;
    demand.where.line = static_cast<std::uint32_t>(shape.site.line);
  }
  return demand;
}

std::string shape_text(const std::array<std::uint32_t, 3>& shape) {
  return fmt::format("({},{},{})", shape[0], shape[1], shape[2]);
}

std::string launch_text(std::uint64_t number, const LoadedKernel& kernel, const LaunchShape& shape) {
  const std::string site = shape.site.text();
  return fmt::format("launch {}: {}<<<{}, {}>>>{}", number, kernel.name, shape_text(shape.grid),
                     shape_text(shape.block), site.empty() ? "" : " at " + site);
}

Diagnostic stopped(const LaunchLimits& limits, RunStatus status, const std::string& launch) {
  Diagnostic problem;
  problem.code = "CUDA-STOPPED";
  problem.message = limits.reason(status);
  problem.notes = {launch};
  problem.help = limits.help(status);
  return problem;
}

/// A kernel that can go on no more would wait for the watchdog of its board.
cudaError_t error_after(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return cudaSuccess;
    case RunStatus::kernel_error:
      return cudaErrorLaunchFailure;
    default:
      return cudaErrorLaunchTimeout;
  }
}

}  // namespace

Session::Session(Control chosen)
    : control(std::move(chosen)),
      device(control),
      loaded_board(load_board(device.word(), told_apart(control.sets).board)),
      heap(std::uint64_t{board.memory_mb} << 20U,
           control.only_buffers ? DeviceHeap::Reach::buffers : DeviceHeap::Reach::board),
      clock(device.level() > 10),
      record(control, device, loaded_board) {
  if (control.sample.launches) sample_.launches.emplace(*control.sample.launches);
  sample_.blocks = control.sample.blocks;
}

void Session::wait_until(Femtoseconds time) {
  record.add_wait({clock.now(), time});
  clock.wait_until(time);
}

void Session::tell(const std::vector<Diagnostic>& diagnostics) const {
  print_diagnostics(diagnostics, Paint::plain);
}

cudaError_t Session::complain(cudaError_t error, const char* call, const CallSite& site, const std::string& message) {
  constexpr unsigned most_messages = 50;  // a loop that goes wrong would bury them
  if (++complaints_ > most_messages) return error;
  Diagnostic problem;
  problem.code = "CUDA-CALL";
  problem.message = fmt::format("{}: {}", call, message);
  if (site.file != nullptr) {
    problem.where.file = site.file;
    problem.where.line = static_cast<std::uint32_t>(site.line);
  }
  if (complaints_ == most_messages) problem.notes.emplace_back("further messages of this kind are left out");
  tell({problem});
  return error;
}

cudaError_t Session::refuse(const LoadedKernel& kernel, const LaunchShape& shape,
                            const std::vector<Diagnostic>& found) const {
  std::vector<Diagnostic> told = found;
  for (Diagnostic& one : told) one.notes.push_back(launch_text(launches_, kernel, shape));
  tell(told);
  const std::string& code = found.front().code;
  if (code == "LAUNCH-REGISTERS" || code == "LAUNCH-SHARED") return cudaErrorLaunchOutOfResources;
  if (code == "LAUNCH-BOUNDS") return cudaErrorInvalidValue;
  if (code == "ISA-LEVEL") return cudaErrorNoKernelImageForDevice;
  return cudaErrorInvalidConfiguration;
}

cudaError_t Session::launch(LoadedCode& code, const LoadedKernel& kernel, const LaunchShape& shape,
                            std::vector<std::uint8_t> parameters, std::vector<Texture> textures) {
  if (!streams.exists(shape.stream))
    return complain(cudaErrorInvalidResourceHandle, "launch", shape.site, "there is no such stream, or no longer");
  const std::vector<Diagnostic> found = check_launch(device.spec(), demand_of(code, kernel, shape));
  if (!found.empty()) return refuse(kernel, shape, found);
  Launch launch = kernel.launch;
  launch.grid = shape.grid;
  launch.block = shape.block;
  const auto header = static_cast<std::uint32_t>(launch_header_bytes + parameters.size());
  launch.shared_bytes = std::max(kernel.shared_bytes, header) + static_cast<std::uint32_t>(shape.dynamic_shared_bytes);
  launch.parameters = std::move(parameters);
  launch.textures = std::move(textures);
  code.put_constants(launch.constant_banks[0]);
  const Mode mode = sample_.launches ? sample_.launches->mode_of_next(kind_of(kernel, shape))
                                     : control.mode.mode_of(launches_, kernel.name);
  LaunchLimits limits(control, board, device.spec(), mode, launch_text(launches_, kernel, shape));
  host_buffers.to_device(heap);
  std::unique_ptr<LaunchTrace> trace;
  if (!control.record.empty()) {
    const TraceTarget target{control.record, launches_, device.word(), mode == Mode::timing};
    trace = std::make_unique<LaunchTrace>(target, code.shared_module(), launch);
  }
  ModelledLaunch modelled = device.run(launch, mode, limits.run_control(), trace ? trace->stream() : StreamFactory{});
  if (trace && modelled.outcome.statistics.status == RunStatus::ok) trace->finish();
  host_buffers.from_device(heap);
  note_host_pointers(*kernel.kernel, launch.parameters, modelled.outcome.errors);
  return settle(kernel, shape, limits, std::move(modelled));
}

LaunchSampler::Kind Session::kind_of(const LoadedKernel& kernel, const LaunchShape& shape) {
  return {kernel.name, shape.grid, shape.block,
          kernel.shared_bytes + static_cast<std::uint32_t>(shape.dynamic_shared_bytes), kernel.kernel->code.size()};
}

LaunchTime Session::time_of(const LoadedKernel& kernel, const LaunchShape& shape, const ModelledLaunch& modelled) {
  const LaunchStatistics& statistics = modelled.outcome.statistics;
  LaunchTime time{device.duration(statistics)};
  std::uint64_t instructions = statistics.warp_instructions;
  if (modelled.sample) {
    time = {modelled.sample->time, modelled.sample->bound};
    instructions += modelled.sample->function_warp_instructions;
  }
  if (!sample_.launches) return time;
  if (statistics.timed) {
    if (statistics.status == RunStatus::ok)
      sample_.launches->add_timed(kind_of(kernel, shape), time.duration, instructions, time.bound.value_or(0));
    return time;
  }
  const LaunchSampler::Estimate estimate = sample_.launches->extrapolate(kind_of(kernel, shape), instructions);
  return {estimate.time, estimate.bound};
}

void Session::warn_of_sample(const LoadedKernel& kernel, const BlockSample& sample) {
  const std::vector<Diagnostic> warnings = sample_warnings(kernel.name, sample);
  if (control.quiet || warnings.empty() || !warned_.insert(kernel.name).second) return;
  tell(warnings);
}

void Session::finish(Femtoseconds end, const std::string& status) {
  record.finish(end, status, sample_);
}

void Session::note(const LoadedKernel& kernel, const LaunchShape& shape, ModelledLaunch modelled) {
  LaunchStatistics& statistics = modelled.outcome.statistics;
  LaunchFacts facts;
  facts.number = launches_;
  facts.site = shape.site.text();
  facts.registers = kernel.kernel->registers;
  facts.shared_bytes = kernel.shared_bytes + static_cast<std::uint32_t>(shape.dynamic_shared_bytes);
  const LaunchTime time = time_of(kernel, shape, modelled);
  facts.span = clock.run(shape.stream, Engine::kernels, time.duration);
  facts.bound = time.bound;
  facts.sample = modelled.sample;
  if (modelled.sample) {
    sample_.add(*modelled.sample);
    if (statistics.status == RunStatus::ok) warn_of_sample(kernel, *modelled.sample);
  }
  const unsigned threads = shape.block[0] * shape.block[1] * shape.block[2];
  statistics.kernel = kernel.name;
  statistics.grid = shape.grid;
  statistics.block = shape.block;
  statistics.occupancy = compute_occupancy(device.spec(), {threads, facts.registers, facts.shared_bytes});
  record.add_launch(std::move(facts), *kernel.kernel, std::move(statistics), std::move(modelled.predictions));
}

cudaError_t Session::settle(const LoadedKernel& kernel, const LaunchShape& shape, const LaunchLimits& limits,
                            ModelledLaunch modelled) {
  std::vector<Diagnostic> errors = std::move(modelled.outcome.errors);
  const RunStatus status = modelled.outcome.statistics.status;
  const std::string text = launch_text(launches_, kernel, shape);
  note(kernel, shape, std::move(modelled));
  ++launches_;
  for (Diagnostic& error : errors) {
    error.notes.push_back(text);
    if (error.code == "MEM-OOB" && error.help.empty())
      error.help = "chips do not notice accesses around buffers: with TESLASIM_BOUNDS=board they pass";
  }
  if (status == RunStatus::limit || status == RunStatus::interrupted) errors.push_back(stopped(limits, status, text));
  if (!errors.empty()) tell(errors);
  broken_ = error_after(status);
  if (first_failure_ == cudaSuccess) first_failure_ = broken_;
  if (caught_signal() != 0) Process::get().end_by_signal();
  return cudaSuccess;  // as on hardware, where the launch returns before the kernel fails
}

std::string Session::status() const {
  if (caught_signal() != 0) return "interrupted";
  return first_failure_ == cudaSuccess ? "ok" : cudaGetErrorName(first_failure_);
}

void Session::reset() {
  host_buffers.forget_device();
  heap.clear();
  broken_ = cudaSuccess;
}

void Process::reset() {
  context_users = 0;
  HostThread::get().last_error = cudaSuccess;
  if (!session_) return;
  code.unload();
  arrays.clear();
  driver.clear();
  session_->reset();
}

HostThread& HostThread::get() {
  static thread_local HostThread thread;
  return thread;
}

Process& Process::get() {
  static Process* const process = new Process;  // never destroyed
  return *process;
}

Session& Process::session() {
  if (session_) return *session_;
  try {
    session_ = std::make_unique<Session>(read_control([](const char* name) { return std::getenv(name); }));
  } catch (const InputError& error) {
    print_diagnostics(error.diagnostics(), Paint::plain);
    std::exit(static_cast<int>(error.exit_code()));
  }
  std::atexit([] {
    if (caught_signal() != 0) Process::get().end_by_signal();
    Process::get().finish();
  });
  end_on_signals();
  return *session_;
}

void Process::end_by_signal() {
  const std::lock_guard<std::recursive_mutex> lock(mutex);  // nobody calls while the process ends
  const int signal = caught_signal();
  finish();
  teslasim::end_by_signal(signal);
}

void Process::finish() {
  const std::lock_guard<std::recursive_mutex> lock(mutex);
  try {
    session_->clock.wait_for_all();
    session_->finish(session_->clock.now(), session_->status());
  } catch (const std::exception& error) {
    print_notice(fmt::format("teslasim: the results of the program are not complete: {}\n", error.what()));
  }
}

}  // namespace teslasim::cudart
