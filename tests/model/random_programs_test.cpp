// SPDX-License-Identifier: Apache-2.0
// Random programs whose complete output is known from two other interpreters, or from one that was checked against
// models tested on hardware. Every program stores its live registers, flags and address registers: one wrong bit shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "frontend/workload/read/load.h"
#include "frontend/workload/references/check.h"
#include "isa/semantics/float_wide.h"
#include "memory/image/device_memory.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/model/functional_model.h"
#include "sim/report/result/digest.h"
#include "sim/run/device_launch.h"
#include "tests/support/systemc_context.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

const fs::path corpus = fs::path(TESLASIM_SOURCE_DIR) / ".." / "shared" / "cubins" / "random";

using Runner = std::function<LaunchOutcome(const Launch&)>;

std::string problem_of(const fs::path& cubin, const Runner& run) {
  const Workload workload = load_workload({.input = cubin.string(), .launch_file = "", .options = {}});
  DeviceMemory memory;
  const std::vector<Address> addresses = place_buffers(workload, memory);
  for (const LaunchSpec& spec : workload.launches) {
    const Launch launch = launch_of(spec, addresses, memory, spec.module->sm);
    const LaunchOutcome outcome = run(launch);
    if (!outcome.errors.empty()) return render(outcome.errors.front());
  }
  for (const Expectation& expectation : workload.expectations) {
    const CheckResult result = check(expectation, workload, [&](std::size_t index) {
      const auto bytes = memory.bytes_of(memory.buffers()[index]);
      return std::span<const std::byte>(bytes);
    });
    if (!result.ok) return describe(result).front();
  }
  return workload.expectations.empty() ? "nothing to compare with" : "";
}

class RandomPrograms : public ::testing::TestWithParam<std::string> {
 protected:
  static void expect_results(const Runner& run);
};

void RandomPrograms::expect_results(const Runner& run) {
  const fs::path folder = corpus / GetParam();
  if (!fs::exists(folder)) GTEST_SKIP() << folder << " is not there";
  unsigned programs = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".cubin") continue;
    ++programs;
    EXPECT_EQ(problem_of(entry.path(), run), "") << entry.path();
  }
  EXPECT_GE(programs, 10U);
}

TEST_P(RandomPrograms, store_what_other_interpreters_store) {
  expect_results([](const Launch& launch) { return run_functional(launch, FunctionalOptions{}, RunControl{}); });
}

TEST_P(RandomPrograms, store_the_same_in_timing_mode) {
  const teslasim::testing::SystemCContext context(teslasim::testing::SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(load_machine({"gtx280"}, {}).spec, TimingOptions{});
  expect_results([&gpu](const Launch& launch) { return gpu.run(launch, RunControl{}); });
}

TEST_P(RandomPrograms, store_the_same_on_hosts_without_wide_vectors) {
  semantics::use_lane_code(semantics::LaneCode::narrow);
  expect_results([](const Launch& launch) { return run_functional(launch, FunctionalOptions{}, RunControl{}); });
  semantics::use_lane_code(semantics::LaneCode::widest);
}

TEST_P(RandomPrograms, have_the_same_counters_on_several_threads) {
  const auto digests_with = [](unsigned threads) {
    const teslasim::testing::SystemCContext context(teslasim::testing::SystemCContext::Engine::left_to_the_model);
    TimingOptions options;
    options.threads = threads;
    GpuSimulator gpu(load_machine({"gtx280"}, {}).spec, options);
    std::vector<std::uint64_t> digests;
    expect_results([&](const Launch& launch) {
      LaunchOutcome outcome = gpu.run(launch, RunControl{});
      Digest digest;
      digest.add(outcome.statistics);
      digests.push_back(digest.value());
      return outcome;
    });
    return digests;
  };
  EXPECT_EQ(digests_with(3), digests_with(1));
}

INSTANTIATE_TEST_SUITE_P(Corpus, RandomPrograms,
                         ::testing::Values("golden/a", "golden/b", "golden/c", "golden/d", "golden/e", "isa_only/a",
                                           "isa_only/b", "isa_only/c", "isa_only/d", "isa_only/e", "isa_only/f",
                                           "isa_only/s"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

}  // namespace
}  // namespace teslasim
