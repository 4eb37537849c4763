// SPDX-License-Identifier: Apache-2.0
// A call of a kernel as a workload of one launch, checked like a launch file: mistakes come with the line of the call
// that they are in.
#pragma once

#include <teslasim/launch.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/workload.h"

namespace teslasim::embed {

/// A kernel of a module, and what it is launched with.
struct Call {
  std::shared_ptr<const Module> module;
  std::string kernel;
  Extent grid, block;
  const std::vector<Argument>& arguments;
  const LaunchOptions& options;
};

/// The workload, and for each argument its buffer, if it is an array.
struct CalledWorkload {
  Workload workload;
  std::vector<std::optional<std::size_t>> buffers;
};

/// Buffers are called like their parameters. An array that is given twice is one buffer. Throws InputError.
[[nodiscard]] CalledWorkload workload_of(const Call& call);

}  // namespace teslasim::embed
