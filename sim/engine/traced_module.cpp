// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/traced_module.h"

#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {

void TracedModule::trace(sc_core::sc_trace_file* file) const {
  for (const Shown& signal : signals_) {
    sc_core::sc_trace(file, signal.value, std::string(name()) + "." + signal.name, static_cast<int>(signal.bits));
  }
}

unsigned TracedModule::sample(std::uint64_t now) {
  unsigned changes = 0;
  for (Shown& signal : signals_) {
    const std::uint64_t value = signal.read(now);
    changes += value != signal.value ? 1 : 0;
    signal.value = value;
  }
  return changes;
}

unsigned TracedModule::hide() {
  unsigned changes = 0;
  for (Shown& signal : signals_) changes += std::exchange(signal.value, unknown_value) != unknown_value ? 1 : 0;
  return changes;
}

void TracedModule::show(std::string name, unsigned bits, Read read) {
  constexpr unsigned most_bits = 63;
  SIM_CHECK(bits >= 1 && bits <= most_bits, "a signal has 1 to 63 bits");
  signals_.push_back({std::move(name), bits, std::move(read)});
}

}  // namespace teslasim
