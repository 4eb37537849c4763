// SPDX-License-Identifier: Apache-2.0
// Shipped kernels with a memory model of somebody else behind the partitions: right outputs, all laws, same digest
// twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frontend/workload/read/load.h"
#include "frontend/workload/references/check.h"
#include "memory/image/device_memory.h"
#include "sim/gpu/floor_plan/tlm_memory_port.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/report/result/conservation.h"
#include "sim/report/result/digest.h"
#include "sim/run/device_launch.h"
#include "tests/support/out_of_order_memory.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {
namespace {

MachineSpec machine_with_socket(const std::string& name) {
  MachineSpec spec = load_machine({name}, {}).spec;
  spec.dram.model = "tlm";
  return spec;
}

std::string launch_file_of(const std::string& kernel) {
  return std::string(TESLASIM_SOURCE_DIR) + "/traces/" + kernel + "/" + kernel + ".launch.toml";
}

/// One kernel of traces/ on one machine, run as its launch file says.
class ForeignRun {
  SystemCContext context_{SystemCContext::Engine::left_to_the_model};  ///< outlives the modules

 public:
  ForeignRun(const std::string& kernel, const std::string& machine_name)
      : machine_(machine_with_socket(machine_name)),
        workload_(load_workload({launch_file_of(kernel), "", {}})),
        addresses_(place_buffers(workload_, memory_)) {
    TimingOptions options;
    options.attach_memory = [this](TlmMemoryPort& port) {
      const std::string name = "foreign" + std::to_string(port.partition());
      foreign_.push_back(std::make_unique<OutOfOrderMemory>(name.c_str(), OutOfOrderMemory::Options{}));
      port.socket.bind(foreign_.back()->socket);
    };
    gpu_ = std::make_unique<GpuSimulator>(machine_, options);
    for (const LaunchSpec& spec : workload_.launches) {
      outcomes_.push_back(gpu_->run(launch_of(spec, addresses_, memory_, machine_.sm_level()), {}));
    }
  }

  [[nodiscard]] const std::vector<LaunchOutcome>& outcomes() const { return outcomes_; }
  [[nodiscard]] std::vector<CheckResult> checks() const {
    std::vector<CheckResult> all;
    for (const Expectation& expectation : workload_.expectations) {
      all.push_back(check(expectation, workload_, [this](std::size_t i) {
        const BufferSpec& spec = workload_.buffers.at(i);
        return std::span<const std::byte>(memory_.at(addresses_.at(i)), spec.count * bytes_of(spec.type));
      }));
    }
    return all;
  }
  [[nodiscard]] std::uint64_t overtaken() const {
    std::uint64_t all = 0;
    for (const auto& memory : foreign_) all += memory->counts().overtaken;
    return all;
  }

 private:
  MachineSpec machine_;
  Workload workload_;
  mutable DeviceMemory memory_;
  std::vector<Address> addresses_;
  std::vector<std::unique_ptr<OutOfOrderMemory>> foreign_;
  std::unique_ptr<GpuSimulator> gpu_;
  std::vector<LaunchOutcome> outcomes_;
};

struct Row {
  const char* kernel;
  const char* machine;
};

class ForeignMemory : public ::testing::TestWithParam<Row> {};

/// The digest of a run whose outputs are right and keep the laws.
std::uint64_t digest_of_good_run(const Row& row) {
  const ForeignRun run(row.kernel, row.machine);
  Digest digest;
  for (const LaunchOutcome& outcome : run.outcomes()) {
    for (const Diagnostic& error : outcome.errors) ADD_FAILURE() << render(error);
    EXPECT_EQ(outcome.statistics.status, RunStatus::ok);
    for (const Violation& violation : check_conservation(outcome.statistics)) ADD_FAILURE() << describe(violation);
    digest.add(outcome.statistics);
  }
  EXPECT_FALSE(run.checks().empty());
  for (const CheckResult& result : run.checks()) EXPECT_TRUE(result.ok) << result.buffer;
  EXPECT_GT(run.overtaken(), 0U) << "answers came out of order";
  return digest.value();
}

TEST_P(ForeignMemory, outputs_are_right_the_laws_hold_and_the_digest_is_the_same_twice) {
  EXPECT_EQ(digest_of_good_run(GetParam()), digest_of_good_run(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Kernels, ForeignMemory,
                         ::testing::Values(Row{"vecadd", "tiny"}, Row{"transpose_naive", "tiny"},
                                           Row{"vecadd", "gtx280"}, Row{"transpose_naive", "8800gtx"},
                                           Row{"histogram", "gtx280"}),
                         [](const auto& row) { return std::string(row.param.kernel) + "_" + row.param.machine; });

}  // namespace
}  // namespace teslasim::testing
