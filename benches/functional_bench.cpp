// SPDX-License-Identifier: Apache-2.0
// Host time per warp instruction of the executor alone, by kind of instruction. items_per_second = warp instructions.
#include <benchmark/benchmark.h>

#include <string>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"
#include "sim/exec/execution_stream.h"

namespace teslasim {
namespace {

/// `line` a thousand times over registers that hold ordinary numbers; $ofs1 is four times the thread number.
std::string kernel(const std::string& line) {
  return ".arch sm_13\n.entry k\n{\n.param ptr out\n.shared data, 4096\n"
         "mov.b32 $r1, $r0\nmov.b32 $r2, 1.5f\nmov.b32 $r3, 2.50001f\nmov.b32 $r4, 3.500009f\n"
         "movsh.b32 $ofs1, $r1, 2\nshl.u32 $r5, $r1, 2\nadd.u32 $r5, s[out], $r5\n"
         ".rept 1000\n" +
         line + "\n.endr\nreturn\n}\n";
}

void run(benchmark::State& state, const std::string& line) {
  const Module module = assemble_text(kernel(line), "bench.asm");
  DeviceMemory memory;
  const Address out = memory.allocate("out", "u32", 4096);
  Launch launch;
  launch.kernel = &module.kernels.front();
  launch.module = &module;
  launch.memory = &memory;
  launch.block = {warp_size, 1, 1};
  launch.shared_bytes = launch.kernel->shared_bytes;
  for (unsigned byte = 0; byte < 4; ++byte) launch.parameters.push_back(static_cast<std::uint8_t>(out >> (8 * byte)));
  ExecutionStream stream(launch, ExecutionStreamOptions{.block_slots = 1, .warp_slots = 1});
  WarpInst record;
  std::int64_t issued = 0;
  for (auto _ : state) {
    stream.start_block(0, 0, 0);
    while (stream.next(0) != nullptr) {
      stream.issue(0, 0, record);
      ++issued;
    }
  }
  state.SetItemsProcessed(issued);
}

#define INSTRUCTION(name, line) BENCHMARK_CAPTURE(run, name, line)
INSTRUCTION(mov, "mov.b32 $r6, $r2");
INSTRUCTION(add, "add.u32 $r6, $r2, $r3");
INSTRUCTION(add_with_flags, "add.u32 $p0|$r6, $r2, $r3");
INSTRUCTION(add_predicated, "@$p0.eq add.u32 $r6, $r2, $r3");
INSTRUCTION(mad24, "mad24.lo.u32 $r6, $r2, $r3, $r4");
INSTRUCTION(shift, "shl.u32 $r6, $r1, 3");
INSTRUCTION(set, "set.lt.u32 $p0|$o127, $r1, $r2");
INSTRUCTION(fadd, "add.f32 $r6, $r2, $r3");
INSTRUCTION(fmul, "mul.f32 $r6, $r2, $r3");
INSTRUCTION(fmad, "mad.f32 $r6, $r2, $r3, $r4");
INSTRUCTION(fset, "set.lt.u32.f32.f32 $p0|$o127, $r2, $r3");
INSTRUCTION(rcp, "rcp.f32 $r6, $r2");
INSTRUCTION(ex2, "ex2.f32 $r6, $r1");
INSTRUCTION(convert, "cvt.rn.f32.s32 $r6, $r1");
INSTRUCTION(shared_operand, "add.f32 $r6, s[data], $r2");
INSTRUCTION(shared_load, "mov.b32 $r6, s[$ofs1+data]");
INSTRUCTION(shared_store, "mov.b32 s[$ofs1+data], $r2");
INSTRUCTION(global_load, "mov.u32 $r6, g[$r5]");
INSTRUCTION(global_store, "mov.u32 g[$r5], $r2");
INSTRUCTION(double_fma, "mad.rn.f64 $r6, $r2, $r2, $r2");

}  // namespace
}  // namespace teslasim
