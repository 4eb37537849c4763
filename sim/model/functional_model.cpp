// SPDX-License-Identifier: Apache-2.0
#include "sim/model/functional_model.h"

#include "sim/model/block_runner.h"
#include "sim/model/parallel_blocks.h"

namespace teslasim {

namespace {

/// What a launch must do before more threads take part: starting them takes the host as long as thousands of
/// instructions.
constexpr std::uint64_t instructions_before_threads = 1U << 16U;

bool known_to_depend(const FunctionalOptions& options, const Kernel* kernel) {
  return options.dependent != nullptr && options.dependent->contains(kernel);
}

}  // namespace

LaunchOutcome run_functional(const Launch& launch, const FunctionalOptions& options, const RunControl& control) {
  BlockRunner runner(launch, options, control);
  bool parallel = may_run_in_parallel(launch, options) && !known_to_depend(options, launch.kernel);
  const std::uint64_t end = control.blocks.end_in(launch.blocks());
  for (BlockIndex block = control.blocks.first; block < end && runner.going_on(); ++block) {
    if (parallel && runner.issued() >= instructions_before_threads && end - block >= options.threads) {
      if (run_in_parallel(launch, options, control, block, runner)) break;
      parallel = false;
      if (options.dependent != nullptr) options.dependent->insert(launch.kernel);
    }
    runner.run_block(block);
  }
  return runner.finish();
}

}  // namespace teslasim
