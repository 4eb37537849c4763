// SPDX-License-Identifier: Apache-2.0
// The trace of one launch, as `teslasim run` replays it without the program.
#pragma once

#include <memory>
#include <string>

#include "sim/cudart/loaded_code.h"
#include "sim/exec/execution_stream.h"
#include "sim/trace/trace_recorder.h"

namespace teslasim::cudart {

/// Where a trace goes and what it is of.
struct TraceTarget {
  std::string folder;
  std::uint64_t number = 0;  ///< of the launch in the program
  std::string machine;
  bool timed = false;
};

class LaunchTrace {
 public:
  /// Begins FOLDER/NNNN-KERNEL.wtrace; `launch` and `module` outlive it. Throws InputError (environment).
  LaunchTrace(const TraceTarget& target, std::shared_ptr<const Module> module, const Launch& launch);

  /// What the warps run: they execute, and are written down.
  [[nodiscard]] StreamFactory stream();
  void finish();

 private:
  const Launch& launch_;
  std::unique_ptr<TraceWriter> writer_;
  LaunchOrder order_;
  TraceRecording recording_;
};

}  // namespace teslasim::cudart
