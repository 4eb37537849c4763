// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as assembly text. What is accepted must survive a trip through the disassembler.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "frontend/text/assembler.h"
#include "isa/disassembler.h"
#include "isa/forms.h"
#include "sim/base/diagnostic.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace teslasim;
  Module module;
  try {
    module = assemble_text(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.asm");
  } catch (const InputError&) {
    return 0;
  }
  for (const Kernel& kernel : module.kernels) {
    for (const Instruction& instruction : kernel.code) {
      if (encoding_problem(instruction)) return 0;  // raw words can say what the language cannot
    }
  }
  const Module again = assemble_text(listing(module), "again.asm");
  for (std::size_t k = 0; k < module.kernels.size(); ++k) {
    const Kernel& before = module.kernels[k];
    const Kernel& after = again.kernels.at(k);
    if (before.code.size() != after.code.size()) std::abort();
    for (std::size_t i = 0; i < before.code.size(); ++i) {
      if (!equivalent(before.code[i], after.code[i])) std::abort();
    }
  }
  return 0;
}
