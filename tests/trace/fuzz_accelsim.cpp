// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the files of Accel-Sim's tracer.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "sim/trace/accelsim_trace.h"
#include "sim/trace/stand_in.h"
#include "tests/support/fuzz_attempt.h"

namespace {

using namespace teslasim;
using test::attempt;

void read_kernel(const std::string& text) {
  AccelSimReader reader("fuzz", std::make_unique<std::istringstream>(text));
  ForeignInstruction instruction;
  while (reader.next(instruction)) (void)stand_in_text(instruction);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  attempt([&] { read_kernel(text); });
  attempt([&] {
    read_kernel(
        "-kernel name = k\n-grid dim = (9,1,1)\n-block dim = (64,1,1)\n#\nthread block = 0,0,0\nwarp = 0\ninsts = "
        "99\n" +
        text);
  });
  attempt([&] {
    std::istringstream list(text);
    (void)accelsim_kernels("fuzz", list);
  });
  return 0;
}
