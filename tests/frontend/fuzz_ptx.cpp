// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as PTX: refused with an InputError or read, and what was read is printed and read the same again. A
// module that can be compiled can still be after that.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "frontend/ptx/ptx_reader.h"
#include "sim/base/diagnostic.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  std::string once;
  try {
    once = teslasim::ptx::print_ptx(teslasim::ptx::read_ptx(text, "fuzz.ptx"));
  } catch (const teslasim::InputError&) {
    return 0;
  }
  bool compilable = true;
  try {
    (void)teslasim::ptx::read_checked_ptx(text, "fuzz.ptx");
  } catch (const teslasim::InputError&) {
    compilable = false;
  }
  if (compilable) (void)teslasim::ptx::read_checked_ptx(once, "checked.ptx");
  if (teslasim::ptx::print_ptx(teslasim::ptx::read_ptx(once, "again.ptx")) != once) std::abort();
  return 0;
}
