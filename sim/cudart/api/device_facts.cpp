// SPDX-License-Identifier: Apache-2.0
// Limits that are not machine keys are those of CUDA C Programming Guide 4.2, Table F-2.
#include "sim/cudart/api/device_facts.h"

#include <algorithm>

#include "sim/gpu/machine/occupancy.h"

namespace teslasim::cudart {
namespace {

constexpr int largest_block[3]{512, 512, 64};
constexpr int largest_grid[3]{65535, 65535, 1};
constexpr int most_texels_1d = 8192, most_texels_linear = 1 << 27;
constexpr int most_texels_2d[2]{65536, 32768}, most_texels_3d = 2048;
constexpr std::size_t constant_bytes = 65536, texture_alignment = 256, pitch_alignment = 32;
constexpr std::size_t largest_pitch = 2147483647;
constexpr double khz_per_mhz = 1000;

}  // namespace

int max_threads(const MachineSpec& machine, const teslasim::Kernel& kernel) {
  unsigned threads = machine.gpu.max_threads_per_cta;
  while (threads > warp_size && registers_that_fit(machine, threads, 1) < kernel.registers) threads -= warp_size;
  if (kernel.most_threads != 0) threads = std::min(threads, kernel.most_threads);
  return static_cast<int>(threads);
}

bool maps_host_memory(const Session& session) {
  constexpr unsigned first_level = 12;
  return session.device.level() >= first_level;
}

cudaDeviceProp properties_of(const Session& session) {
  const MachineSpec& machine = session.device.spec();
  const unsigned level = session.device.level();
  cudaDeviceProp facts{};
  machine.name.copy(facts.name, sizeof(facts.name) - 1);
  facts.totalGlobalMem = session.heap.capacity();
  facts.sharedMemPerBlock = machine.sm.shared.bytes;
  facts.regsPerBlock = static_cast<int>(machine.sm.registers);
  facts.warpSize = static_cast<int>(machine.sm.warp_size);
  facts.memPitch = largest_pitch;
  facts.maxThreadsPerBlock = static_cast<int>(machine.gpu.max_threads_per_cta);
  std::copy(std::begin(largest_block), std::end(largest_block), facts.maxThreadsDim);
  std::copy(std::begin(largest_grid), std::end(largest_grid), facts.maxGridSize);
  facts.clockRate = static_cast<int>(machine.clock.shader_mhz * khz_per_mhz);
  facts.totalConstMem = constant_bytes;
  facts.major = static_cast<int>(level / 10);
  facts.minor = static_cast<int>(level % 10);
  facts.textureAlignment = texture_alignment;
  facts.texturePitchAlignment = pitch_alignment;
  facts.deviceOverlap = facts.asyncEngineCount = level > 10 ? 1 : 0;
  facts.multiProcessorCount = static_cast<int>(machine.sms());
  facts.kernelExecTimeoutEnabled = session.board.kernel_limit_s > 0.0 ? 1 : 0;
  facts.canMapHostMemory = maps_host_memory(session) ? 1 : 0;
  facts.maxTexture1D = most_texels_1d;
  facts.maxTexture1DLinear = most_texels_linear;
  std::copy(std::begin(most_texels_2d), std::end(most_texels_2d), facts.maxTexture2D);
  std::fill(std::begin(facts.maxTexture3D), std::end(facts.maxTexture3D), most_texels_3d);
  facts.surfaceAlignment = texture_alignment;
  facts.pciBusID = 1;
  facts.memoryClockRate = static_cast<int>(machine.clock.memory_mhz * khz_per_mhz);
  facts.memoryBusWidth = static_cast<int>(machine.dram.partitions * machine.dram.bus_width_bits_per_partition);
  facts.maxThreadsPerMultiProcessor = static_cast<int>(machine.gpu.max_warps_per_sm * machine.sm.warp_size);
  return facts;
}

}  // namespace teslasim::cudart
