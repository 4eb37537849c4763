// SPDX-License-Identifier: Apache-2.0
// Blocks of one launch on several threads of the host, where that gives what one thread gives.
#pragma once

#include <cstdint>

#include "sim/model/block_runner.h"

namespace teslasim {

/// What the code says: no atomics, and no clock, which the order of blocks would show.
[[nodiscard]] bool may_run_in_parallel(const Launch& launch, const FunctionalOptions& options);

/// Runs the blocks from `first` on with `options.threads` threads and adds what they counted to `total`. Each thread
/// takes blocks in their order. Returns false, with memory as before, when that might differ from blocks one after the
/// other: a thread wrote a word that another one read or wrote, a kernel went wrong (the first mistake is to be told),
/// or the limit of `control` was passed. When `control` interrupts, blocks stay as far as they came, and `total` says
/// so.
[[nodiscard]] bool run_in_parallel(const Launch& launch, const FunctionalOptions& options, const RunControl& control,
                                   BlockIndex first, BlockRunner& total);

}  // namespace teslasim
