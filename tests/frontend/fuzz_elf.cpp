// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as an ELF cubin or a program with GPU code inside: refused with an InputError or read, and what was
// read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "frontend/cubin/elf_cubin.h"
#include "frontend/cubin/embedded_images.h"
#include "sim/base/diagnostic.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  try {
    const teslasim::Module module = teslasim::looks_like_elf_cubin(bytes)
                                        ? teslasim::read_elf_cubin("fuzz.cubin", bytes)
                                        : teslasim::read_embedded_images("fuzz.out", bytes);
    constexpr unsigned wide = 64;
    const std::string written = teslasim::write_elf_cubin(module, wide);
    if (teslasim::read_elf_cubin("fuzz.cubin", written).kernels.size() != module.kernels.size()) std::abort();
  } catch (const teslasim::InputError&) {
    return 0;
  }
  return 0;
}
