// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as PTX to compile: refused with an InputError, or made a module whose every instruction has a word.
// The first byte chooses the level and the optimisation.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/compiler/compile.h"
#include "frontend/cubin/elf_cubin.h"
#include "frontend/ptx/ptx_reader.h"
#include "sim/base/diagnostic.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest = 20'000;
  if (size < 2 || size > longest) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);  // NOLINT: bytes as text
  teslasim::compiler::CompileOptions options;
  options.sm = static_cast<std::uint8_t>(10 + data[0] % 4);
  options.optimization = (data[0] & 4U) != 0 ? 3 : 0;
  options.maximum_registers = (data[0] & 8U) != 0 ? 12 : 0;
  try {
    const auto module = teslasim::ptx::read_checked_ptx(text, "fuzz.ptx");
    (void)teslasim::write_elf_cubin(teslasim::compiler::compile_ptx(module, "fuzz.ptx", options, text).module, 64);
  } catch (const teslasim::InputError&) {
  }
  return 0;
}
