// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a text cubin: refused with an InputError or read, and what was read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "frontend/cubin/text_cubin.h"
#include "sim/base/diagnostic.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  try {
    const teslasim::Module module = teslasim::read_text_cubin("fuzz.cubin", text);
    const std::string written = teslasim::write_text_cubin(module);
    if (teslasim::write_text_cubin(teslasim::read_text_cubin("fuzz.cubin", written)) != written) std::abort();
  } catch (const teslasim::InputError&) {
    return 0;
  }
  return 0;
}
