// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a table of measurements (`compare --hw`). What is accepted is compared with a run.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/diagnostic.h"
#include "sim/report/compare/hardware_profile.h"
#include "sim/report/result/stats_json.h"
#include "tests/report/sample_result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const teslasim::RunData run =
      teslasim::RunData::from_json("001-copy-gtx280", teslasim::stats_json(teslasim::test::sample_result()));
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::vector<teslasim::HardwareMeasurement> measured = teslasim::read_hardware_profile("fuzz.csv", text);
    for (const teslasim::HardwareMeasurement& measurement : measured) {
      if (!std::isfinite(measurement.value) || measurement.value < 0.0) __builtin_trap();
    }
    const std::string table = teslasim::hardware_compare_text(measured, {run});
    if (table.find("nan") != std::string::npos && text.find("nan") == std::string::npos) __builtin_trap();
  } catch (const teslasim::InputError& error) {
    if (teslasim::render(error.diagnostics()).empty()) __builtin_trap();
  }
  return 0;
}
