// SPDX-License-Identifier: Apache-2.0
#include <teslasim/machine.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>

#include "frontend/workload/read/load.h"
#include "sim/embed/call.h"
#include "sim/embed/errors.h"
#include "sim/embed/kernel_state.h"
#include "sim/embed/run_state.h"
#include "sim/engine/simulation_context.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/run/calibration_cache.h"
#include "sim/run/sm_choice.h"
#include "sim/run/workload_run.h"

namespace teslasim::embed {
namespace {

enum class Way : std::uint8_t { timed, functional, profiled };

/// SystemC has one current simulation.
std::mutex& simulation_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::vector<std::string> set_words(const Settings& settings) {
  std::vector<std::string> words;
  for (const auto& [key, value] : settings) words.push_back(key + "=" + value);
  return words;
}

ExitCode exit_code_of(const RunOutcome& outcome) {
  if (outcome.breaks_law()) return ExitCode::internal;
  return outcome.result.status == RunStatus::stuck ? ExitCode::stuck : ExitCode::kernel;
}

LaunchWatch watch_of(const LaunchOptions& options) {
  if (!options.watch) return {};
  return [&options](std::size_t, const Progress& progress) {
    const LaunchProgress now{progress.ctas_done, progress.ctas_total, progress.warp_instructions,
                             progress.shader_cycles.count()};
    return options.watch(now) ? Verdict::go_on : Verdict::interrupt;
  };
}

}  // namespace

/// A model that was built in a context of SystemC's own. Models without time need none.
class StandingMachine {
 public:
  StandingMachine(const RunSettings& settings, Profiling profiling, const MachineSpec& machine,
                  const Calibration* calibration) {
    if (settings.mode == Mode::timing) context_.emplace();
    const std::lock_guard<std::mutex> lock(simulation_mutex());
    in_context([&] { model_.emplace(settings, profiling, machine, calibration); });
  }
  ~StandingMachine() {
    const std::lock_guard<std::mutex> lock(simulation_mutex());
    in_context([&] { model_.reset(); });
  }
  StandingMachine(const StandingMachine&) = delete;
  StandingMachine& operator=(const StandingMachine&) = delete;

  /// `use(simulation)` with a simulation of what was prepared.
  template <class Use>
  void run(const PreparedRun& prepared, Use use) {
    const std::lock_guard<std::mutex> lock(simulation_mutex());
    in_context([&] {
      WorkloadRun simulation(prepared, *model_);
      use(simulation);
    });
  }

 private:
  template <class Function>
  void in_context(Function function) {
    std::optional<SimulationContext::Current> current;
    if (context_) current.emplace(*context_);
    function();
  }

  std::optional<SimulationContext> context_;
  std::optional<StandingModel> model_;
};

struct Machine::State {
  std::string name, word;
  MachineOptions options;
  LoadedMachine machine;
  std::optional<Calibration> calibration;

  [[nodiscard]] RunSettings settings(const LaunchOptions& launch, Way way) const {
    RunSettings settings;
    settings.configs = {name};
    settings.mode = way == Way::timed ? Mode::timing : Mode::functional;
    settings.threads = options.threads;
    settings.intervals = options.intervals;
    if (way == Way::timed) settings.warp_sms = options.warp_sms;
    if (launch.max_cycles != 0) settings.max_cycles = SpCycle(launch.max_cycles);
    return settings;
  }

  RunOutcome simulate(const PreparedRun& prepared, Way way, const LaunchOptions& launch,
                      const std::function<void(WorkloadRun&)>& take_results) {
    std::unique_ptr<StandingMachine>& place = models_.at(static_cast<std::size_t>(way));
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!place) {
        place =
            std::make_unique<StandingMachine>(settings({}, way), way == Way::profiled ? Profiling::on : Profiling::off,
                                              machine.spec, calibration ? &*calibration : nullptr);
      }
    }
    RunOutcome outcome;
    const LaunchWatch watch = watch_of(launch);
    place->run(prepared, [&](WorkloadRun& simulation) {
      outcome = simulation.run(watch);
      if (outcome.errors.empty() && outcome.result.status == RunStatus::ok) take_results(simulation);
    });
    if (!outcome.errors.empty()) throw InputError(exit_code_of(outcome), outcome.errors);
    return outcome;
  }

  RunOutcome launch(const Call& call, Way way);
  [[nodiscard]] std::uint8_t level() const { return static_cast<std::uint8_t>(machine.spec.sm_level()); }

 private:
  std::mutex mutex_;
  std::array<std::unique_ptr<StandingMachine>, 3> models_;
};

std::vector<MachineInfo> machines() {
  std::vector<MachineInfo> all;
  for (const PresetInfo& preset : preset_list()) {
    all.push_back({preset.name, preset.title, preset.arch, preset.sms, preset.shader_mhz, preset.peak_gbs_dram,
                   preset.peak_gflops_mad});
  }
  return all;
}

Machine::Machine(const std::string& name, const Settings& settings, const MachineOptions& options)
    : state_(std::make_shared<State>()) {
  translated([&] {
    state_->name = name;
    state_->word = std::filesystem::path(name).filename().replace_extension().string();
    state_->options = options;
    state_->options.threads = std::max(1U, options.threads);
    state_->machine = load_machine({name}, set_words(settings));
    (void)warp_sms(state_->settings({}, Way::timed), state_->machine.spec);  // says what is wrong with the choice
    state_->calibration =
        chosen_calibration(options.calibration.empty() ? "none" : options.calibration, state_->machine);
  });
}

const std::string& Machine::name() const {
  return state_->name;
}

MachineInfo Machine::info() const {
  const MachineSpec& spec = state_->machine.spec;
  return {state_->name,
          spec.name,
          "sm_" + std::to_string(spec.sm_level()),
          spec.sms(),
          spec.clock.shader_mhz,
          spec.derived.peak_gbs_dram,
          spec.derived.peak_gflops_mad};
}

std::vector<std::pair<std::string, std::string>> Machine::configuration() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const ConfigurationRow& row : configuration_rows(state_->machine.values)) all.emplace_back(row.key, row.plain());
  return all;
}

std::string Machine::toml() const {
  return effective_toml(state_->machine);
}

std::vector<Message> Machine::warnings() const {
  return messages_of(state_->machine.warnings);
}

RunOutcome Machine::State::launch(const Call& call, Way way) {
  CalledWorkload called = workload_of(call);
  std::vector<Diagnostic> warnings = called.workload.warnings;
  const PreparedRun prepared = prepare(settings(call.options, way), machine, std::move(called.workload), calibration);
  RunOutcome outcome = simulate(prepared, way, call.options, [&](WorkloadRun& simulation) {
    if (way == Way::profiled) return;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (!called.buffers[i] || call.arguments[i].out() == nullptr) continue;
      const std::span<const std::byte> bytes = simulation.buffer(*called.buffers[i]);
      std::memcpy(call.arguments[i].out(), bytes.data(), bytes.size());
    }
  });
  outcome.warnings.insert(outcome.warnings.begin(), warnings.begin(), warnings.end());
  return outcome;
}

Run Machine::launch(const Kernel& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
                    const LaunchOptions& options) const {
  return translated([&] {
    const Call call{
        kernel.state().module_for(state_->level(), state_->word), kernel.name(), grid, block, arguments, options};
    RunOutcome outcome = state_->launch(call, options.timed ? Way::timed : Way::functional);
    return run_of(std::move(outcome.result), std::move(outcome.warnings));
  });
}

std::vector<Prediction> Machine::predict(const Kernel& kernel, Extent grid, Extent block,
                                         const std::vector<Argument>& arguments, const LaunchOptions& options) const {
  return translated([&] {
    const Call call{
        kernel.state().module_for(state_->level(), state_->word), kernel.name(), grid, block, arguments, options};
    return predictions_of(teslasim::predictions_of(state_->launch(call, Way::profiled).result));
  });
}

Run Machine::run(const std::string& file, const LaunchOptions& options) const {
  return translated([&] {
    const Way way = options.timed ? Way::timed : Way::functional;
    RunSettings settings = state_->settings(options, way);
    settings.workload.input = file;
    ReadOptions code;
    code.machine_sm = state_->level();
    code.machine = state_->word;
    Workload workload = load_workload(settings.workload, code);
    const PreparedRun prepared =
        prepare(std::move(settings), state_->machine, std::move(workload), state_->calibration);
    RunOutcome outcome = state_->simulate(prepared, way, options, [](WorkloadRun&) {});
    std::vector<Diagnostic> warnings = prepared.workload.warnings;
    warnings.insert(warnings.end(), outcome.warnings.begin(), outcome.warnings.end());
    return run_of(std::move(outcome.result), std::move(warnings));
  });
}

}  // namespace teslasim::embed
