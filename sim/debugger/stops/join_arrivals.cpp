// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/stops/join_arrivals.h"

namespace teslasim {

std::vector<JoinArrival> join_arrivals(WarpControl control, const Kernel& kernel) {
  std::vector<JoinArrival> arrivals;
  while (!control.finished() && control.index() < kernel.code.size()) {
    if (!kernel.code[control.index()].join || !control.join_pending()) break;
    arrivals.push_back({control.index(), control.active()});
    // An error is the warp's, which comes to the same join.
    if (control.join() != ControlFault::none) break;
  }
  return arrivals;
}

}  // namespace teslasim
