// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/micro_machine.h"

#include <algorithm>
#include <array>

#include "frontend/workload.h"
#include "sim/base/diagnostic.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/run/device_launch.h"

namespace teslasim {
namespace {

LaunchSpec launch_spec(const std::shared_ptr<const Module>& module, Shape shape, Address out,
                       std::span<const std::uint32_t> arguments) {
  LaunchSpec spec;
  spec.module = module;
  spec.kernel = module->kernels.front().name;
  spec.grid = {shape.blocks, 1, 1};
  spec.block = {shape.threads, 1, 1};
  std::vector<std::uint32_t> values{static_cast<std::uint32_t>(out)};
  values.insert(values.end(), arguments.begin(), arguments.end());
  for (const std::uint32_t value : values) {
    ParameterValue parameter;
    parameter.bits = value;
    spec.parameters.push_back(parameter);
  }
  return spec;
}

/// Throws when the machine cannot run the launch at all.
void check(const MachineSpec& machine, const LaunchSpec& launch) {
  const std::vector<Diagnostic> errors = check_launch(machine, launch_demand(launch));
  if (!errors.empty()) throw InputError(ExitCode::configuration, errors);
}

}  // namespace

MicroMachine::MicroMachine(const MachineSpec& spec) : spec_(spec), built_(spec) {
  constexpr std::array<std::uint8_t, 4> one{0x00, 0x00, 0x80, 0x3f};  // 1.0f, little-endian
  constexpr std::size_t words = 64;
  for (std::size_t i = 0; i < words; ++i) constants_.insert(constants_.end(), one.begin(), one.end());
}
MicroMachine::~MicroMachine() = default;

void MicroMachine::keep_one_sm() {
  SIM_CHECK(!gpu_, "the machine is built already");
  built_.gpu.tpcs = built_.gpu.sms_per_tpc = 1;
}

void MicroMachine::keep_one_tpc() {
  SIM_CHECK(!gpu_, "the machine is built already");
  built_.gpu.tpcs = 1;
}

Address MicroMachine::allocate(std::uint64_t bytes) {
  return memory_.allocate("micro" + std::to_string(memory_.buffers().size()), "u32", bytes);
}

std::span<std::uint32_t> MicroMachine::words(Address address, std::uint64_t count) {
  return {reinterpret_cast<std::uint32_t*>(memory_.at(address)), count};
}

void MicroMachine::bind_texture(Address address, std::uint32_t texels) {
  texture_.name = "micro";
  texture_.image.address = address;
  texture_.image.format = {TexelFormat::Kind::unsigned_integer, 32, 1};
  texture_.image.dimensions = 1;
  texture_.image.size = {texels, 1, 1};
  texture_.image.pitch_bytes = 4 * texels;
}

MicroRun MicroMachine::run(const MicroKernel& kernel, Shape shape, std::span<const std::uint32_t> arguments) {
  const std::shared_ptr<const Module> module = assemble(kernel);
  modules_.push_back(module);
  const std::uint64_t out_words = std::uint64_t{2} * shape.blocks * shape.threads;
  const Address out = allocate(4 * out_words);
  LaunchSpec spec = launch_spec(module, shape, out, arguments);
  spec.dynamic_shared_bytes = dynamic_shared_;
  Launch launch = launch_of(spec, {}, memory_, spec_.sm_level());
  launch.constant_banks[0] = constants_;
  if (texture_.bound()) launch.textures = {texture_};
  LaunchStatistics statistics = run(spec, launch);
  const std::span<const std::uint32_t> left = words(out, out_words);
  return {{left.begin(), left.end()}, std::move(statistics)};
}

std::vector<LaunchStatistics> MicroMachine::run(const Workload& workload) {
  const std::vector<Address> addresses = place_buffers(workload, memory_);
  std::vector<LaunchStatistics> statistics;
  for (const LaunchSpec& spec : workload.launches) {
    modules_.push_back(spec.module);
    statistics.push_back(run(spec, launch_of(spec, addresses, memory_, spec_.sm_level())));
  }
  return statistics;
}

LaunchStatistics MicroMachine::run(const LaunchSpec& spec, const Launch& launch) {
  check(built_, spec);
  if (!gpu_) gpu_ = std::make_unique<GpuSimulator>(built_, TimingOptions{});
  RunControl control;
  control.max_shader_cycles = cycles_left_;
  LaunchOutcome outcome = gpu_->run(launch, control);
  if (outcome.statistics.status == RunStatus::limit) throw OutOfCycles{};
  if (cycles_left_ != never) cycles_left_ -= std::min(cycles_left_, outcome.statistics.shader_cycles);
  if (outcome.statistics.status != RunStatus::ok) throw InputError(ExitCode::kernel, outcome.errors);
  return std::move(outcome.statistics);
}

}  // namespace teslasim
