// SPDX-License-Identifier: Apache-2.0
// A memory model of somebody else behind the partitions: results are right, the laws hold, and its mistakes are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/gpu/floor_plan/latency_memory.h"
#include "sim/gpu/floor_plan/tlm_memory_port.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/report/result/conservation.h"
#include "tests/gpu/gpu_bench.h"
#include "tests/support/out_of_order_memory.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

MachineSpec outside(const std::string& name) {
  MachineSpec spec = machine(name);
  spec.dram.model = "tlm";
  return spec;
}

/// One GPU with a memory model behind each partition.
class Attached {
  SystemCContext context_{SystemCContext::Engine::left_to_the_model};  ///< outlives the modules

 public:
  explicit Attached(const MachineSpec& spec, const OutOfOrderMemory::Options& options = {},
                    const TimingOptions& timing = {})
      : gpu_(spec, attaching(options, timing)) {}
  LaunchOutcome run(Bench& bench, const RunControl& control = {}) { return gpu_.run(bench.launch(), control); }

  std::vector<std::unique_ptr<OutOfOrderMemory>> memories;
  std::vector<TlmMemoryPort*> ports;

 private:
  TimingOptions attaching(const OutOfOrderMemory::Options& options, TimingOptions timing) {
    timing.attach_memory = [this, options](TlmMemoryPort& port) {
      OutOfOrderMemory::Options own = options;
      own.seed += port.partition();
      const std::string name = "foreign" + std::to_string(port.partition());
      memories.push_back(std::make_unique<OutOfOrderMemory>(name.c_str(), own));
      port.socket.bind(memories.back()->socket);
      ports.push_back(&port);
    };
    return timing;
  }

  GpuSimulator gpu_;
};

std::vector<std::string> broken_laws(const LaunchStatistics& launch) {
  std::vector<std::string> laws;
  for (const Violation& violation : check_conservation(launch)) laws.push_back(describe(violation));
  return laws;
}

/// out[i] = in[i] + i, one word for each of 20 x 128 threads.
const std::string add_kernel = R"(
  and.b32 $r1, $r0, 0x0000ffff
  mov.u16 $r2.lo, %ctaid.x
  shl.u32 $r3, $r2, 7
  and.b32 $r3, $r3, 0x0000ff80
  add.u32 $r1, $r1, $r3
  shl.u32 $r3, $r1, 2
  add.u32 $r4, s[in], $r3
  mov.u32 $r5, g[$r4]
  add.u32 $r5, $r5, $r1
  add.u32 $r9, s[out], $r3
  mov.u32 g[$r9], $r5
  return
)";

TEST(TlmMemory, results_are_right_and_the_laws_hold) {
  Bench bench(add_kernel, 20, 128);
  Attached gpu(outside("8800gtx"));
  const LaunchOutcome outcome = gpu.run(bench);
  EXPECT_THAT(outcome.errors, IsEmpty());
  EXPECT_EQ(outcome.statistics.status, RunStatus::ok);
  for (unsigned i = 0; i < 20 * 128; ++i) ASSERT_EQ(bench.result(i), 2 * i);
  EXPECT_THAT(broken_laws(outcome.statistics), IsEmpty());
}

TEST(TlmMemory, the_target_saw_every_transaction_out_of_order_and_full) {
  Bench bench(mixed_kernel, 20, 128);
  Attached gpu(outside("8800gtx"));
  const LaunchStatistics launch = gpu.run(bench).statistics;
  OutOfOrderMemory::Counts all;
  for (std::size_t i = 0; i < gpu.memories.size(); ++i) {
    const OutOfOrderMemory::Counts& one = gpu.memories[i]->counts();
    const PartitionStatistics& partition = launch.partitions[i];
    EXPECT_EQ(one.reads, partition.read_transactions) << i;
    EXPECT_EQ(one.writes, partition.write_transactions) << i;
    EXPECT_EQ(one.read_bytes, partition.read_bytes) << i;
    EXPECT_EQ(one.written_bytes, partition.write_bytes) << i;
    EXPECT_EQ(partition.bus, BusCycles{}) << "the model has its own account";
    all.overtaken += one.overtaken;
    all.full += one.full;
    all.completed += one.completed;
  }
  EXPECT_GT(all.overtaken, 0U);
  EXPECT_GT(all.full, 0U);
  EXPECT_GT(all.completed, 0U);
}

TEST(TlmMemory, payloads_are_used_again) {
  const MachineSpec spec = outside("tiny");
  Bench bench(mixed_kernel, 20, 128);
  Attached gpu(spec);
  const LaunchStatistics launch = gpu.run(bench).statistics;
  ASSERT_EQ(gpu.ports.size(), 1U);
  const std::size_t places = spec.dram.queue + spec.dram.write_queue;
  EXPECT_EQ(gpu.ports[0]->payloads(), places);
  EXPECT_LE(gpu.memories[0]->counts().payloads, places);
  EXPECT_GT(launch.partitions[0].read_transactions + launch.partitions[0].write_transactions, 4 * places);
}

/// Simulated time of one launch with a memory model.
std::vector<std::uint64_t> counted(const TimingOptions& timing, std::uint32_t seed = 1) {
  Bench bench(mixed_kernel, 20, 128);
  OutOfOrderMemory::Options options;
  options.seed = seed;
  Attached gpu(outside("8800gtx"), options, timing);
  return numbers(gpu.run(bench).statistics);
}

TEST(TlmMemory, the_same_again_and_for_any_look_ahead_and_without_sleeping) {
  const std::vector<std::uint64_t> first = counted({});
  EXPECT_EQ(counted({}), first);
  TimingOptions options;
  options.look_ahead = 0;
  EXPECT_EQ(counted(options), first);
  options.sleeping = false;
  EXPECT_EQ(counted(options), first);
  EXPECT_NE(counted({}, 7), first) << "another memory takes another time";
}

TEST(TlmMemory, the_memory_that_comes_along_is_latency_and_bandwidth) {
  MachineSpec spec = outside("8800gtx");
  std::vector<SpCycle> cycles;
  for (const double latency : {60.0, 400.0}) {
    spec.dram.tlm.latency_ns = latency;
    Bench bench(mixed_kernel, 20, 128);
    const LaunchOutcome outcome = bench.run(spec);
    EXPECT_EQ(outcome.statistics.status, RunStatus::ok);
    EXPECT_THAT(broken_laws(outcome.statistics), IsEmpty());
    cycles.push_back(outcome.statistics.shader_cycles);
  }
  EXPECT_GT(cycles[1], cycles[0] + 300) << "340 ns are 459 SP cycles; a load and its use wait for them";
}

TEST(TlmMemory, launches_follow_each_other_also_after_one_that_was_cut_off) {
  Bench bench(mixed_kernel, 20, 128);
  Attached gpu(outside("8800gtx"));
  RunControl control;
  control.max_shader_cycles = 1500;
  EXPECT_EQ(gpu.run(bench, control).statistics.status, RunStatus::limit);
  const LaunchOutcome whole = gpu.run(bench);
  EXPECT_EQ(whole.statistics.status, RunStatus::ok);
  EXPECT_THAT(broken_laws(whole.statistics), IsEmpty());
}

TEST(TlmMemory, a_model_that_never_answers_is_a_dead_end) {
  Bench bench(mixed_kernel, 1, 32);
  OutOfOrderMemory::Options options;
  options.answers = false;
  Attached gpu(outside("tiny"), options);
  const LaunchOutcome outcome = gpu.run(bench);
  EXPECT_EQ(outcome.statistics.status, RunStatus::stuck);
  ASSERT_FALSE(outcome.errors.empty());
  EXPECT_THAT(render(outcome.errors[0]), HasSubstr("gpu.partition0"));
  EXPECT_THAT(render(outcome.errors[0]), HasSubstr("in the memory"));
}

TEST(TlmMemory, a_refused_access_is_told) {
  Bench bench(mixed_kernel, 1, 32);
  OutOfOrderMemory::Options options;
  options.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  Attached gpu(outside("tiny"), options);
  try {
    gpu.run(bench);
    FAIL() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::configuration);
    EXPECT_EQ(error.diagnostics()[0].code, "TLM-TARGET");
    EXPECT_THAT(error.diagnostics()[0].message, HasSubstr("TLM_ADDRESS_ERROR_RESPONSE"));
    EXPECT_THAT(error.diagnostics()[0].message, HasSubstr("gpu.partition0.memory_port"));
  }
}

TEST(TlmMemory, a_phase_out_of_turn_is_told) {
  Bench bench(mixed_kernel, 1, 32);
  OutOfOrderMemory::Options options;
  options.stutters = true;
  Attached gpu(outside("tiny"), options);
  try {
    gpu.run(bench);
    FAIL() << "END_REQ twice was taken";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].code, "TLM-TARGET");
    EXPECT_THAT(error.diagnostics()[0].message, HasSubstr("said END_REQ out of turn"));
  }
}

TEST(TlmMemory, a_socket_that_was_forgotten_is_told_before_anything_runs) {
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  TimingOptions options;
  options.attach_memory = [](TlmMemoryPort&) {};
  try {
    const GpuSimulator gpu(outside("tiny"), options);
    FAIL() << "nothing is bound";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].code, "TLM-TARGET");
    EXPECT_THAT(error.diagnostics()[0].message, HasSubstr("was not bound"));
  }
}

TEST(TlmMemory, the_floor_plan_shows_the_port_instead_of_controller_and_chips) {
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  const GpuSimulator gpu(outside("8800gtx"), {});
  EXPECT_NE(dynamic_cast<TlmMemoryPort*>(sc_core::sc_find_object("gpu.partition5.memory_port")), nullptr);
  EXPECT_NE(dynamic_cast<LatencyMemory*>(sc_core::sc_find_object("gpu.memory5")), nullptr);
  EXPECT_EQ(sc_core::sc_find_object("gpu.partition5.controller"), nullptr);
  EXPECT_EQ(sc_core::sc_find_object("gpu.partition5.dram"), nullptr);
}

}  // namespace
}  // namespace teslasim::testing
