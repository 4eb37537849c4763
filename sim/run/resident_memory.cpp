// SPDX-License-Identifier: Apache-2.0
#include "sim/run/resident_memory.h"

#include <sys/resource.h>

namespace teslasim {

double resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024.0 / 1e6;
}

}  // namespace teslasim
