// SPDX-License-Identifier: Apache-2.0
// Ye 2009, section 5.1: Guz' model with a scratchpad in the place of the cache.
#include <algorithm>

#include "sim/model/analytical/analytical.h"

namespace teslasim {

void evaluate_scratchpad(Evaluation& e) {
  e.require({"pes", "pe_ghz", "cpi", "memory_cycles", "memory_ratio", "scratchpad_bytes", "working_set_bytes",
             "memory_gbs", "bytes_per_access", "threads"});
  const double pes = e.need("pes"), ratio = e.need("memory_ratio"), cpi = e.need("cpi");
  const double fitting = e.need("scratchpad_bytes") / e.need("working_set_bytes");
  const double threads = std::min(e.need("threads"), fitting);
  const double utilisation = std::min(1.0, threads / (pes * (1.0 + e.need("memory_cycles") * ratio / cpi)));
  e.term("threads_that_fit", fitting, "threads", "working sets in the scratchpad");
  e.term("utilisation", utilisation, "", "eta (eq. 33)");
  const double compute = pes * e.need("pe_ghz") / cpi * utilisation;
  if (ratio <= 0.0) e.refuse("without memory instructions there is nothing to model");
  const double bandwidth = e.need("memory_gbs") / (ratio * e.need("bytes_per_access"));
  e.term("bandwidth_gops", bandwidth, "Gop/s", "what the bandwidth allows (eq. 32)");
  e.term("performance_gops", std::min(compute, bandwidth), "Gop/s", "eq. 32");
  e.bound(bandwidth < compute           ? "memory"
          : fitting < e.need("threads") ? "scratchpad"
          : utilisation < 1.0           ? "threads"
                                        : "compute");
}

}  // namespace teslasim
