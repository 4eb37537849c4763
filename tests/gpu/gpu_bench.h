// SPDX-License-Identifier: Apache-2.0
// A whole GPU with one kernel and its memory, for tests that compare ways of simulating it.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/machine_loader.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {

/// Blocks reach their illegal load after as many trips of a loop as their number says, the last of 32 first.
inline constexpr const char* errors_in_every_block = R"(
  cvt.u32.u16 $r1, %ctaid.x
  mov.b32 $r2, 0x0000001f
  subr.u32 $r1, $r1, $r2
  mov.b32 $r4, 0x00000000
again:
  add.b32 $r1, $r1, 0xffffffff
  set.gt.s32 $p0|$o127, $r1, $r4
@$p0.ne bra.label again
  mov.u32 $r2, g[$r4]
  return
)";

/// A kernel with its memory: two buffers, `in` (4096 words, word i = i) and `out`, given to it as its parameters.
class Bench {
 public:
  explicit Bench(const std::string& body, unsigned blocks, unsigned threads, const std::string& level = "sm_10") {
    module_ = assemble_text(".arch " + level + "\n.entry k\n{\n.param ptr in\n.param ptr out\n" + body + "\n}\n");
    const Address in = memory_.allocate("in", "u32", 4 * words);
    const Address out = memory_.allocate("out", "u32", 4 * words);
    for (std::uint32_t i = 0; i < words; ++i) std::memcpy(memory_.at(in + 4 * i), &i, 4);
    launch_.kernel = &module_.kernels.at(0);
    launch_.module = &module_;
    launch_.grid = {blocks, 1, 1};
    launch_.block = {threads, 1, 1};
    launch_.shared_bytes = std::max(launch_.kernel->shared_bytes, 24U);
    launch_.parameters.resize(8);
    std::memcpy(launch_.parameters.data(), &in, 4);
    std::memcpy(launch_.parameters.data() + 4, &out, 4);
    launch_.memory = &memory_;
    in_ = in;
    out_ = out;
  }

  /// `in` is also the texture of slot 0, in one dimension.
  void bind_texture() {
    Texture texture;
    texture.name = "in";
    texture.image.format = {TexelFormat::Kind::unsigned_integer, 32, 1};
    texture.image.dimensions = 1;
    texture.image.size = {words, 1, 1};
    texture.image.pitch_bytes = 4 * words;
    texture.image.layout = TextureImage::Layout::linear;
    texture.image.address = in_;
    launch_.textures = {texture};
  }
  void fill_constants(unsigned bank, std::size_t bytes) { launch_.constant_banks.at(bank).resize(bytes); }
  LaunchOutcome run(const MachineSpec& machine, const TimingOptions& options = {}, const RunControl& control = {}) {
    SystemCContext context(SystemCContext::Engine::left_to_the_model);
    GpuSimulator gpu(machine, options);
    return gpu.run(launch_, control);
  }
  [[nodiscard]] std::uint32_t result(unsigned index) const {
    std::uint32_t word = 0;
    std::memcpy(&word, memory_.at(out_ + 4 * index), 4);
    return word;
  }
  [[nodiscard]] const Launch& launch() const { return launch_; }

 private:
  static constexpr std::uint32_t words = 4096;
  Module module_;
  DeviceMemory memory_;
  Launch launch_;
  Address in_ = 0, out_ = 0;
};

/// A bit of everything: global loads (strided by block), shared memory with conflicts, a barrier, divergence, a store.
inline const std::string mixed_kernel = R"(
  .shared tile, 1024
  and.b32 $r1, $r0, 0x0000ffff
  mov.u16 $r2.lo, %ctaid.x
  mul24.lo.u32.u16.u16 $r3, $r2.lo, $r1.lo
  and.b32 $r3, $r3, 0x000003ff
  shl.u32 $r3, $r3, 2
  add.u32 $r4, s[in], $r3
  mov.u32 $r5, g[$r4]
  shl.u32 $r6, $r1, 4
  and.b32 $r6, $r6, 0x000003fc
  movsh.b32 $ofs1, $r6, 0
  mov.b32 s[$ofs1+tile], $r5
  bar.sync.u32 0x00000000
  shl.u32 $p0|$r7, $r1, 31
  join.label together
@$p0.ne bra.label odd
  add.u32 $r5, $r5, $r1
  bra.label together
odd:
  mad24.lo.u32 $r5, $r5, $r1, $r1
together:
  nop.join
  mov.b32 $r8, s[$ofs1+tile]
  add.u32 $r5, $r5, $r8
  shl.u32 $r9, $r1, 2
  add.u32 $r9, s[out], $r9
  mov.u32 g[$r9], $r5
  return
)";

/// Everything that was counted, as one list.
inline std::vector<std::uint64_t> numbers(const LaunchStatistics& s) {
  std::vector<std::uint64_t> all = {s.shader_cycles.count(), s.duration.count(), s.warp_instructions,
                                    s.thread_instructions,   s.branches,         s.divergent_branches,
                                    s.load_requests,         s.store_requests,   s.global.bytes};
  for (const SmStatistics& sm : s.sms) {
    all.insert(all.end(), sm.slots.counts.begin(), sm.slots.counts.end());
    all.insert(all.end(), sm.warp_cycles.counts.begin(), sm.warp_cycles.counts.end());
  }
  for (const PcStatistics& pc : s.pcs) {
    all.insert(all.end(), pc.slots.counts.begin(), pc.slots.counts.end());
    for (const auto& [producer, slots] : pc.blamed) all.insert(all.end(), {producer, slots});
  }
  for (const PartitionStatistics& partition : s.partitions) {
    all.insert(all.end(), {partition.read_bytes, partition.write_bytes, partition.busy_cycles});
  }
  return all;
}

inline MachineSpec machine(const std::string& name) {
  return load_machine({name}, {}).spec;
}

}  // namespace teslasim::testing
