// SPDX-License-Identifier: Apache-2.0
// A simulated machine for the kernels of one measurement: buffers, launches, clock words and statistics.
//
// One per process, because SystemC builds its hierarchy once. What one launch leaves behind (contents of memory, of
// caches that outlive a launch) the next one finds, so the launches of a measurement are a fixed sequence.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "memory/image/device_memory.h"
#include "memory/image/texture.h"
#include "sim/base/launch_statistics.h"
#include "sim/gpu/machine/gpu_spec.h"
#include "sim/validation/micro_kernel.h"

namespace teslasim {

class GpuSimulator;
struct Launch;
struct LaunchSpec;
struct Workload;

struct Shape {
  unsigned blocks = 1;
  unsigned threads = 32;
};

/// What a launch left: the first parameter of each kernel is the buffer `out`.
struct MicroRun {
  std::vector<std::uint32_t> out;
  LaunchStatistics statistics;
  [[nodiscard]] double cycles() const { return static_cast<double>(statistics.shader_cycles); }  ///< SP cycles
};

class MicroMachine {
 public:
  explicit MicroMachine(const MachineSpec& spec);
  ~MicroMachine();
  MicroMachine(const MicroMachine&) = delete;
  MicroMachine& operator=(const MicroMachine&) = delete;

  /// The machine as it is configured.
  [[nodiscard]] const MachineSpec& spec() const { return spec_; }
  /// From now on, one SM of it: for what happens inside an SM. Before the first launch only.
  void keep_one_sm();
  /// One TPC with all its SMs. Before the first launch only.
  void keep_one_tpc();

  [[nodiscard]] Address allocate(std::uint64_t bytes);
  [[nodiscard]] std::span<std::uint32_t> words(Address address, std::uint64_t count);
  /// Contents of constant bank c0 for the launches that follow; before, it holds 64 times 1.0f.
  void set_constants(std::vector<std::uint8_t> bytes) { constants_ = std::move(bytes); }
  /// A linear one-dimensional image of `texels` 32-bit integers in texture slot 0 of the launches that follow.
  void bind_texture(Address address, std::uint32_t texels);
  /// SP cycles for all launches together; beyond them `run` throws.
  void set_max_cycles(SpCycle cycles) { cycles_left_ = cycles; }
  void set_dynamic_shared(std::uint32_t bytes) { dynamic_shared_ = bytes; }

  /// A launch did not end within the cycles.
  struct OutOfCycles {};
  /// Runs the kernel with `out` (2 words per thread) and `arguments`. Throws InputError with what went wrong in it.
  MicroRun run(const MicroKernel& kernel, Shape shape = {}, std::span<const std::uint32_t> arguments = {});
  /// Places the buffers of the workload and runs its launches in order. Throws as above.
  std::vector<LaunchStatistics> run(const Workload& workload);

 private:
  LaunchStatistics run(const LaunchSpec& spec, const Launch& launch);

  MachineSpec spec_;
  MachineSpec built_;
  DeviceMemory memory_;
  std::vector<std::uint8_t> constants_;
  std::uint32_t dynamic_shared_ = 0;
  SpCycle cycles_left_ = never;
  Texture texture_;
  std::unique_ptr<GpuSimulator> gpu_;
  std::vector<std::shared_ptr<const Module>> modules_;
};

}  // namespace teslasim
