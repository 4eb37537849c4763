// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/register_limits.h"

#include <algorithm>
#include <string_view>

#include "frontend/compiler/occupancy_steps.h"
#include "frontend/compiler/register_allocator.h"

namespace teslasim::compiler {
namespace {

constexpr unsigned least_registers = 8, most_threads = 512;

const ptx::PtxPerformanceDirective* find(const ptx::PtxFunction& function, std::string_view name) {
  const auto found = std::find_if(function.directives.begin(), function.directives.end(),
                                  [&](const ptx::PtxPerformanceDirective& one) { return one.name == name; });
  return found == function.directives.end() || found->values.empty() ? nullptr : &*found;
}

unsigned threads_of(const ptx::PtxFunction& function) {
  const ptx::PtxPerformanceDirective* size = find(function, "reqntid");
  if (size == nullptr) size = find(function, "maxntid");
  if (size == nullptr) return 0;
  unsigned threads = 1;
  for (const std::uint32_t extent : size->values)
    threads = std::min(most_threads, threads * std::clamp(extent, 1U, most_threads));
  return threads;
}

}  // namespace

RegisterLimits register_limits(const ptx::PtxFunction& function, const CompileOptions& options) {
  RegisterLimits limits{most_general_registers, threads_of(function)};
  const ptx::PtxPerformanceDirective* blocks = find(function, "minnctapersm");
  // At least one block must fit.
  if (limits.threads != 0)
    limits.most = registers_for_blocks(blocks != nullptr ? blocks->values[0] : 1, options.sm, limits.threads);
  const ptx::PtxPerformanceDirective* registers = find(function, "maxnreg");
  if (registers != nullptr) limits.most = std::min(limits.most, registers->values[0]);
  // nvcc's option does not touch kernels with bounds of their own.
  if (options.maximum_registers != 0 && limits.threads == 0) limits.most = options.maximum_registers;
  limits.most = std::clamp(limits.most, least_registers, most_general_registers);
  return limits;
}

}  // namespace teslasim::compiler
