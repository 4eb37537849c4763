// SPDX-License-Identifier: Apache-2.0
// How long a cubin of 10,000 instructions takes to load: the limit is 50 ms.
#include <benchmark/benchmark.h>

#include "frontend/cubin/elf_cubin.h"
#include "frontend/cubin/text_cubin.h"
#include "frontend/frontend.h"
#include "frontend/text/assembler.h"
#include "frontend/text/disassembly.h"

namespace {

constexpr int repetitions = 1250;  ///< of eight instructions

teslasim::Module program() {
  std::string text = ".arch sm_12\n.entry k\n{\n";
  for (int i = 0; i < repetitions; ++i) {
    text +=
        "mov.b32 $r1, s[0x10]\nadd.u32 $r1, $r1, $r2\nmad.rn.f32 $r3, $r1, $r2, $r3\n"
        "set.ne.s32 $p0|$o127, $r1, $r2\n@$p0.ne add.u32 $r4, $r4, $r1\nmov.u32 $r5, g[$r4]\n"
        "cvt.rn.f32.s32 $r6, $r5\nmov.u32 g[$r4], $r6\n";
  }
  return teslasim::assemble_text(text + "return\n}\n");
}

void load(benchmark::State& state, const std::string& bytes) {
  for ([[maybe_unused]] const auto step : state)
    benchmark::DoNotOptimize(teslasim::read_module_bytes("k.cubin", bytes).kernels.size());
}

void text_cubin(benchmark::State& state) {
  load(state, teslasim::write_text_cubin(program()));
}
void elf_cubin(benchmark::State& state) {
  load(state, teslasim::write_elf_cubin(program()));
}
void listing(benchmark::State& state) {
  load(state, teslasim::disassembly(program(), teslasim::DisassemblyFormat::decuda));
}
void disassembly(benchmark::State& state) {
  const teslasim::Module module = program();
  for ([[maybe_unused]] const auto step : state)
    benchmark::DoNotOptimize(teslasim::disassembly(module, teslasim::DisassemblyFormat::assembly).size());
}

BENCHMARK(text_cubin)->Unit(benchmark::kMillisecond);
BENCHMARK(elf_cubin)->Unit(benchmark::kMillisecond);
BENCHMARK(listing)->Unit(benchmark::kMillisecond);
BENCHMARK(disassembly)->Unit(benchmark::kMillisecond);

}  // namespace
