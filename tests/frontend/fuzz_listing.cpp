// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a listing: refused with an InputError or read, and what was read can be printed and read again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "frontend/text/disassembly.h"
#include "frontend/text/listing_reader.h"
#include "sim/base/diagnostic.h"

namespace {
auto lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  using teslasim::DisassemblyFormat;
  try {
    const teslasim::Module module = teslasim::read_listing("fuzz.txt", text);
    const std::string again = teslasim::disassembly(module, DisassemblyFormat::tsv);
    const std::string listing = teslasim::disassembly(module, DisassemblyFormat::decuda);
    const teslasim::Module second = teslasim::read_listing("fuzz.txt", listing);
    if (second.kernels.size() == module.kernels.size() &&
        lines(teslasim::disassembly(second, DisassemblyFormat::tsv)) != lines(again))
      std::abort();
  } catch (const teslasim::InputError&) {
    return 0;
  }
  return 0;
}
