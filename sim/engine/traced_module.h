// SPDX-License-Identifier: Apache-2.0
// A module that appears in waveforms, and the values of its plain part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "sim/base/types.h"

namespace teslasim {

/// A value of a part, one row of a table. A value that does not fit into the bits is shown as unknown (x).
template <class Part>
struct Signal {
  const char* name;
  unsigned bits;
  std::uint64_t (*value)(const Part& part, std::uint64_t now);
};

/// Shown when there is no value: wider than every signal.
inline constexpr std::uint64_t unknown_value = ~std::uint64_t{0};

/// sc_trace needs variables at fixed addresses, and the parts know nothing of SystemC. So the module keeps a copy of
/// each value, which `sample` refreshes. Without a waveform nobody calls it, and a module costs nothing per cycle.
class TracedModule : public sc_core::sc_module {
 public:
  using Read = std::function<std::uint64_t(std::uint64_t now)>;

  /// Tells SystemC's tracer of the signals of this module, not of those inside it.
  void trace(sc_core::sc_trace_file* file) const override;
  /// Reads all values after cycle `now` of the module's clock. Returns how many have changed.
  unsigned sample(std::uint64_t now);
  [[nodiscard]] std::size_t signals() const { return signals_.size(); }
  /// Makes all values unknown. Returns how many were known.
  unsigned hide();

 protected:
  explicit TracedModule(const sc_core::sc_module_name& name) : sc_module(name) {}
  /// To be called while the module is constructed. Fewer than 64 bits.
  void show(std::string name, unsigned bits, Read read);
  /// The part outlives the module and stays where it is.
  template <class Part>
  void show(const Part& part, std::span<const Signal<Part>> signals) {
    for (const Signal<Part>& signal : signals) {
      show(signal.name, signal.bits, [value = signal.value, &part](std::uint64_t now) { return value(part, now); });
    }
  }

 private:
  struct Shown {
    std::string name;
    unsigned bits;
    Read read;
    std::uint64_t value = unknown_value;
  };
  std::vector<Shown> signals_;
};

}  // namespace teslasim
