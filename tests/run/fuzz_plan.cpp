// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a plan of a sweep and of an exploration. What is accepted is expanded, when it is small.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/diagnostic.h"
#include "sim/run/plans/dse_plan.h"
#include "sim/run/plans/plan_words.h"
#include "sim/run/plans/shell_word.h"
#include "sim/run/plans/sweep_plan.h"

namespace {

constexpr std::uint64_t expanded_at_most = 1000;

/// What an accepted plan promises.
void check(const teslasim::SweepPlan& plan) {
  if (!teslasim::is_plan_name(plan.name)) __builtin_trap();
  const std::uint64_t size = teslasim::plan_size(plan);
  if (size > plan.max_points) __builtin_trap();
  if (size > expanded_at_most) return;
  const std::vector<teslasim::SweepPoint> points = teslasim::sweep_points(plan);
  if (points.size() > size) __builtin_trap();
  for (const teslasim::SweepPoint& point : points) {
    if (teslasim::describe(point).find('\n') != std::string::npos) __builtin_trap();
    if (teslasim::shell_word(point.input).find('\n') != std::string::npos) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    check(teslasim::read_sweep_plan("fuzz.toml", text));
  } catch (const teslasim::InputError& error) {
    if (teslasim::render(error.diagnostics()).empty()) __builtin_trap();
  }
  try {
    check(teslasim::read_dse_plan("fuzz.toml", text).points);
  } catch (const teslasim::InputError& error) {
    if (teslasim::render(error.diagnostics()).empty()) __builtin_trap();
  }
  return 0;
}
