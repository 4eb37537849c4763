// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a text trace, with their own header and behind a right one.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "sim/base/diagnostic.h"
#include "sim/trace/trace_text.h"

namespace {

using namespace teslasim;

TraceCode code_of(const std::string& text) {
  constexpr std::uint32_t instructions = 8, long_bytes = 8;
  TraceCode code;
  Kernel& kernel = code.module.kernels.emplace_back();
  kernel.name = "k";
  kernel.registers = long_bytes;
  kernel.code.resize(instructions);
  for (std::uint32_t i = 0; i < instructions; ++i) kernel.code[i].pc = long_bytes * i;
  kernel.code[1].opcode = Opcode::load_global;
  kernel.code[1].source[0].kind = Operand::Kind::global;
  kernel.code[2].opcode = Opcode::tex;
  kernel.code[3].opcode = Opcode::load_shared;
  kernel.code[3].source[0].kind = Operand::Kind::shared;
  kernel.code[4].opcode = Opcode::bra;
  finish_kernel(kernel);
  code.cubin = text;
  return code;
}

void read(const std::string& text) {
  try {
    TraceTextReader reader("fuzz", std::make_unique<std::istringstream>(text), code_of);
    while (reader.next_segment()) {
    }
  } catch (const InputError&) {
    return;  // a refusal is a good answer
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  read(text);
  read(
      "teslasim.trace-text/2\n{\"name\": \"k\", \"code\": [\"c\"], \"launches\": [{\"kernel\": \"k\", \"grid\": [9, 1, "
      "1],"
      " \"block\": [64, 1, 1], \"shared_bytes\": 16, \"parameter_bytes\": 0}]\n}\nwarp launch=0 block=0 warp=0\n" +
      text);
  return 0;
}
