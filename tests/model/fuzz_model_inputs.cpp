// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as inputs of a model written by hand, and as a calibration: refused with an InputError, or read. A
// model says something about whatever it is given; a calibration that was read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sim/model/calibration.h"
#include "sim/model/given_file.h"
#include "tests/support/fuzz_attempt.h"

namespace {

using namespace teslasim;
using test::attempt;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  attempt([&] {
    const GivenInputs given = read_given_inputs("fuzz.toml", text, "");
    (void)evaluate(*given.model, given.inputs);
  });
  attempt([&] {
    const Calibration calibration = read_calibration("fuzz.toml", text);
    const std::string written = calibration_toml(calibration);
    if (calibration_toml(read_calibration("again.toml", written)) != written) std::abort();
    InputSet inputs;
    calibrate_inputs(calibration, inputs);
  });
  return 0;
}
