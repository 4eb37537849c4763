// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as assembly text. What is accepted must survive a trip through the disassembler. Repetitions and
// macros end early, so that the time goes into different texts.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "frontend/text/assembler.h"
#include "frontend/text/disassembly.h"
#include "isa/encoding/encoding.h"
#include "sim/base/diagnostic.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace teslasim;
  constexpr AssemblerLimits limits{200, std::uint64_t{1} << 14};
  Module module;
  try {
    module = assemble_text(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.asm", limits);
  } catch (const InputError&) {
    return 0;
  }
  const Module again = assemble_text(disassembly(module, DisassemblyFormat::assembly), "again.asm");
  for (std::size_t k = 0; k < module.kernels.size(); ++k) {
    const Kernel& before = module.kernels[k];
    const Kernel& after = again.kernels.at(k);
    if (before.code.size() != after.code.size()) std::abort();
    for (std::size_t i = 0; i < before.code.size(); ++i) {
      if (!equivalent(before.code[i], after.code[i])) std::abort();
      if (encode(before.code[i], again.sm).words != encode(after.code[i], again.sm).words) std::abort();
    }
  }
  return 0;
}
