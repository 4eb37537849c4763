// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a machine file and as an override. Refusing is fine, crashing is not. Links the gpu layer.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/machine_loader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const teslasim::LoadedMachine machine = teslasim::load_machine_text("fuzz.toml", text);
    // What was accepted must survive its own dump.
    const teslasim::LoadedMachine again = teslasim::load_machine_text("dump.toml", teslasim::effective_toml(machine));
    if (!teslasim::diff(machine, again).empty()) __builtin_trap();
  } catch (const teslasim::InputError& error) {
    if (teslasim::render(error.diagnostics()).empty()) __builtin_trap();
  }
  // An override is short, and the preset below it takes most of the time.
  constexpr std::size_t longest_override = 64;
  if (size > longest_override) return 0;
  try {
    (void)teslasim::load_machine({}, {text});
  } catch (const teslasim::InputError& error) {
    if (teslasim::render(error.diagnostics()).empty()) __builtin_trap();
  }
  return 0;
}
