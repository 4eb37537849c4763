// SPDX-License-Identifier: Apache-2.0
// A unit on the floor plan: a SystemC module and the plain part that it stands for.
#pragma once

#include <systemc>

namespace teslasim {

/// The place of a part in the SystemC hierarchy: it refers to the part, which another module owns and drives. No
/// process and no state of its own, so it costs nothing per cycle. Units with units inside derive from it.
template <class Part>
class UnitModule : public sc_core::sc_module {
 public:
  /// `part` outlives the module and stays where it is.
  UnitModule(const sc_core::sc_module_name& name, const Part& part) : sc_module(name), part_(part) {}
  [[nodiscard]] const Part& part() const { return part_; }

 private:
  const Part& part_;
};

}  // namespace teslasim
