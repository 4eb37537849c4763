// SPDX-License-Identifier: Apache-2.0
// Every kernel that we ship computes what its launch file expects, in the functional model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "frontend/workload/read/load.h"
#include "frontend/workload/references/check.h"
#include "memory/image/device_memory.h"
#include "sim/model/functional_model.h"
#include "sim/run/device_launch.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

constexpr unsigned smallest_block_limit = 256;  ///< threads of the machine `tiny`
constexpr unsigned smallest_registers = 8192;   ///< per SM, compute capability 1.0
constexpr unsigned smallest_shared_bytes = 16384;

std::vector<std::string> launch_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TESLASIM_SOURCE_DIR) / "traces")) {
    const std::string path = entry.path().string();
    // The sizes of papers take minutes, and textures are bound by the program: tests/app/case_studies.py has those.
    // Sizes of published times are what `teslasim validate` measures.
    const bool elsewhere = path.find(".paper.") != std::string::npos || path.find(".texture.") != std::string::npos ||
                           path.find(".published") != std::string::npos;
    if (is_launch_file(path) && !elsewhere) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A workload with its buffers in device memory, as `teslasim run --mode functional` has it.
class FunctionalRun {
 public:
  explicit FunctionalRun(const std::string& launch_file)
      : workload_(load_workload({launch_file, "", {}})), addresses_(place_buffers(workload_, memory_)) {}

  LaunchOutcome run(const LaunchSpec& spec) {
    return run_functional(launch_of(spec, addresses_, memory_, spec.module->sm), {}, {});
  }

  [[nodiscard]] std::span<const std::byte> contents(std::size_t buffer) const {
    const BufferSpec& spec = workload_.buffers.at(buffer);
    return {memory_.at(addresses_.at(buffer)), spec.count * bytes_of(spec.type)};
  }
  [[nodiscard]] const Workload& workload() const { return workload_; }

 private:
  Workload workload_;
  DeviceMemory memory_;
  std::vector<Address> addresses_;
};

class ShippedKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedKernel, computes_what_its_launch_file_expects) {
  FunctionalRun run(GetParam());
  std::uint64_t warp_instructions = 0;
  for (const LaunchSpec& launch : run.workload().launches) {
    const LaunchOutcome outcome = run.run(launch);
    for (const Diagnostic& error : outcome.errors) ADD_FAILURE() << render(error);
    warp_instructions += outcome.statistics.warp_instructions;
  }
  ASSERT_FALSE(run.workload().expectations.empty()) << "a shipped kernel checks its results";
  for (const Expectation& expectation : run.workload().expectations) {
    const CheckResult result = check(expectation, run.workload(), [&](std::size_t i) { return run.contents(i); });
    for (const std::string& line : describe(result)) {
      EXPECT_TRUE(result.ok) << line;
      if (result.ok) RecordProperty(result.buffer, line);
    }
  }
  RecordProperty("warp_instructions", std::to_string(warp_instructions));
  EXPECT_LT(warp_instructions, 2'000'000U) << "shipped launches are small";
}

TEST_P(ShippedKernel, does_not_pass_without_running) {
  const FunctionalRun run(GetParam());
  for (const Expectation& expectation : run.workload().expectations) {
    EXPECT_FALSE(check(expectation, run.workload(), [&](std::size_t i) { return run.contents(i); }).ok);
  }
}

TEST_P(ShippedKernel, fits_the_smallest_machine) {
  const Workload workload = load_workload({GetParam(), "", {}});
  for (const LaunchSpec& launch : workload.launches) {
    EXPECT_LE(launch.module->sm, 13U);
    EXPECT_LE(launch.threads_per_block(), smallest_block_limit);
    EXPECT_LE(launch.kernel_code().registers * launch.threads_per_block(), smallest_registers);
    EXPECT_LE(launch.kernel_code().shared_bytes + launch.dynamic_shared_bytes, smallest_shared_bytes);
  }
}

TEST_P(ShippedKernel, lays_its_parameters_out_as_the_kernel_declares_them) {
  const Workload workload = load_workload({GetParam(), "", {}});
  for (const LaunchSpec& launch : workload.launches) {
    const Kernel& kernel = launch.kernel_code();
    ASSERT_EQ(kernel.parameters.size(), launch.parameters.size());
    LaunchSpec prefix = launch;
    for (std::size_t i = kernel.parameters.size(); i-- > 0;) {
      prefix.parameters.resize(i + 1);
      EXPECT_EQ(prefix.parameter_bytes(), kernel.parameters[i].offset + bytes_of(kernel.parameters[i].type));
    }
  }
}

TEST_P(ShippedKernel, has_a_readme) {
  const fs::path folder = fs::path(GetParam()).parent_path();
  EXPECT_TRUE(fs::exists(folder / "README.md"));
}

INSTANTIATE_TEST_SUITE_P(Traces, ShippedKernel, ::testing::ValuesIn(launch_files()), [](const auto& parameter) {
  std::string name = fs::path(parameter.param).stem().stem().string();
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace teslasim
