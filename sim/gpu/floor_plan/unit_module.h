// SPDX-License-Identifier: Apache-2.0
// A unit on the floor plan: a SystemC module and the plain part that it stands for.
#pragma once

#include <systemc>

#include "sim/engine/traced_module.h"

namespace teslasim {

/// The place of a part in the SystemC hierarchy: it refers to the part, which another module owns and drives. No
/// process; its only state is what waveforms show of the part, `signals_of(part)`, without which it does not compile.
/// Nothing is done per cycle unless there is a waveform. Units with units inside derive from it.
template <class Part>
class UnitModule : public TracedModule {
 public:
  /// `part` outlives the module and stays where it is.
  UnitModule(const sc_core::sc_module_name& name, const Part& part) : TracedModule(name), part_(part) {
    show(part, signals_of(part));
  }
  [[nodiscard]] const Part& part() const { return part_; }

 private:
  const Part& part_;
};

}  // namespace teslasim
