// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the parts of a trace: refused with TraceDamage or read.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/trace/instruction_record.h"
#include "sim/trace/trace_parts.h"

namespace {

teslasim::Kernel kernel() {
  constexpr std::uint32_t instructions = 40, long_bytes = 8;
  teslasim::Kernel kernel;
  kernel.code.resize(instructions);
  for (std::uint32_t i = 0; i < instructions; ++i) {
    kernel.code[i].pc = long_bytes * i;
    if (i % 5 == 0) kernel.code[i].opcode = teslasim::Opcode::bra;
  }
  teslasim::finish_kernel(kernel);
  return kernel;
}

template <typename Read>
void attempt(Read read) {
  try {
    read();
  } catch (const teslasim::TraceDamage&) {
    return;  // a refusal is a good answer
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace teslasim;
  static const Kernel code = kernel();
  constexpr std::uint32_t instructions = 1000, segments = 100, part_bytes = 4096;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  attempt([&] {
    SegmentDecoder decoder(code);
    decoder.open(std::string(bytes), instructions);
    InstructionRecord record;
    while (!decoder.at_end()) decoder.next(record);
  });
  attempt([&] { (void)trace::header_from(bytes); });
  attempt([&] {
    std::size_t offset = 0;
    (void)trace::get_directory(bytes, offset, segments);
  });
  attempt([&] { (void)trace::decompressed(bytes, part_bytes); });
  return 0;
}
