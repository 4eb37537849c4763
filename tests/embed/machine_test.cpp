// SPDX-License-Identifier: Apache-2.0
// The library as programs see it: machines, launches, errors.
#include <gtest/gtest.h>
#include <teslasim/teslasim.h>

#include <string>
#include <thread>
#include <vector>

namespace teslasim::embed {
namespace {

constexpr const char* shift = R"(.entry shift
{
  .param u32 by
  .param ptr data
    and.b32 $r1, $r0, 0x0000ffff
    shl.u32 $r1, $r1, 2
    add.u32 $r1, s[data], $r1
    mov.u32 $r2, g[$r1]
    add.u32 $r2, s[by], $r2
    mov.u32 g[$r1], $r2
    return
}
)";

Kernel shift_kernel() {
  return Kernel::from_text(shift, "shift.asm");
}

/// The error that `function` ends with.
template <class Function>
Error error_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error;
  }
  return Error(0, {}, "no error");
}

TEST(EmbeddedMachine, writes_results_into_arrays_of_the_program) {
  std::vector<int> data(32, 1);
  const auto run = Machine().launch(shift_kernel(), {1}, {32}, {41, data});
  EXPECT_EQ(std::vector<int>(32, 42), data);
  EXPECT_EQ("ok", run.status());
  EXPECT_GT(run.ms(), 0.0);
}

TEST(EmbeddedMachine, constant_arrays_stay_as_they_are) {
  const std::vector<unsigned> data(32, 1);
  (void)Machine().launch(shift_kernel(), {1}, {32}, {41, data});
  EXPECT_EQ(std::vector<unsigned>(32, 1), data);
}

TEST(EmbeddedMachine, every_launch_begins_with_a_machine_as_new) {
  const Machine machine("8800gtx");
  const Kernel kernel = shift_kernel();
  std::string first;
  for (int i = 0; i < 50; ++i) {
    std::vector<int> data(32, 1);
    const std::string digest = machine.launch(kernel, {1}, {32}, {41, data}).digest();
    if (i == 0) first = digest;
    ASSERT_EQ(first, digest) << "launch " << i;
  }
}

TEST(EmbeddedMachine, machines_take_turns_whatever_thread_they_are_of) {
  const auto digest = [](const Machine& machine) {
    std::vector<int> data(32, 1);
    return machine.launch(shift_kernel(), {1}, {32}, {41, data}).digest();
  };
  const Machine small("8800gtx"), large("gtx280");
  const std::string of_small = digest(small), of_large = digest(large);
  EXPECT_NE(of_small, of_large);
  std::string from_thread;
  std::thread other([&] { from_thread = digest(small); });
  EXPECT_EQ(of_large, digest(large));
  other.join();
  EXPECT_EQ(of_small, from_thread);
}

TEST(EmbeddedMachine, without_time_the_results_are_the_same) {
  std::vector<int> timed(32, 1), functional(32, 1);
  LaunchOptions options;
  options.timed = false;
  const Machine machine;
  (void)machine.launch(shift_kernel(), {1}, {32}, {-3, timed});
  const auto run = machine.launch(shift_kernel(), {1}, {32}, {-3, functional}, options);
  EXPECT_EQ(timed, functional);
  EXPECT_EQ(0.0, run.ms());
  EXPECT_FALSE(run.timed());
}

TEST(EmbeddedMachine, statistics_have_the_paths_of_the_reference) {
  std::vector<int> data(32, 1);
  const auto run = Machine().launch(shift_kernel(), {1}, {32}, {41, data});
  EXPECT_EQ(Value(std::uint64_t{7}), run.statistic("instructions.warp"));
  EXPECT_EQ(run.statistic("issue_slots.issued"), run.statistic("sm.issue_slots.issued"));
  EXPECT_EQ(Value(std::string("GeForce GTX 280")), run.statistic("machine.name"));
  const Error error = error_of([&] { (void)run.statistic("shared.replay"); });
  EXPECT_EQ("STAT-UNKNOWN", error.code());
  EXPECT_NE(std::string::npos, std::string(error.what()).find("shared.replays"));
}

TEST(EmbeddedMachine, stalls_are_all_slots) {
  std::vector<int> data(32, 1);
  const auto run = Machine().launch(shift_kernel(), {1}, {32}, {41, data});
  std::uint64_t sum = 0;
  for (const auto& [reason, slots] : run.stalls()) sum += slots;
  EXPECT_EQ(Value(sum), run.statistic("issue_slots.total"));
}

TEST(EmbeddedMachine, the_table_of_instructions_has_a_row_for_each) {
  std::vector<int> data(32, 1);
  const Kernel kernel = shift_kernel();
  const Table table = Machine().launch(kernel, {1}, {32}, {41, data}).table(TableName::instructions);
  EXPECT_EQ(kernel.instructions(), table.rows.size());
  EXPECT_EQ(table.columns.size(), table.rows.front().size());
}

TEST(EmbeddedMachine, the_table_of_warps_has_those_of_the_chosen_sms) {
  const auto warps = [](const MachineOptions& options, bool timed = true) {
    std::vector<int> data(96, 1);
    LaunchOptions how;
    how.timed = timed;
    return Machine("gtx280", {}, options).launch(shift_kernel(), {1}, {96}, {41, data}, how).table(TableName::warps);
  };
  EXPECT_EQ(warps({}).rows.size(), 3U);
  EXPECT_EQ(warps({}).columns.size(), warps({}).rows.front().size());
  EXPECT_TRUE(warps({}, false).rows.empty());
  MachineOptions others;
  others.warp_sms = "1-29";
  EXPECT_TRUE(warps(others).rows.empty());
  others.warp_sms = "30";
  EXPECT_EQ("CLI-VALUE", error_of([&] { (void)warps(others); }).code());
}

TEST(EmbeddedMachine, mistakes_in_a_call_have_their_line_in_it) {
  std::vector<int> data(32, 1);
  const Error error = error_of([&] { (void)Machine().launch(shift_kernel(), {1}, {32}, {1.5, data}); });
  EXPECT_EQ("LAUNCH-TYPE", error.code());
  EXPECT_EQ("call of shift", error.messages().front().file);
  EXPECT_EQ(3U, error.messages().front().line);
  EXPECT_EQ("by = 1.5", error.messages().front().excerpt);
}

TEST(EmbeddedMachine, a_kernel_error_leaves_the_arrays_as_they_were) {
  std::vector<int> data(16, 1);
  const Error error = error_of([&] { (void)Machine().launch(shift_kernel(), {1}, {32}, {41, data}); });
  EXPECT_EQ("MEM-OOB", error.code());
  EXPECT_EQ(5, error.exit_code());
  EXPECT_EQ(std::vector<int>(16, 1), data);
}

TEST(EmbeddedMachine, all_mistakes_in_settings_come_at_once) {
  const Error error = error_of([] { Machine("gtx280", {{"sm.shared.bank", "32"}, {"gpu.tpcs", "-1"}}); });
  EXPECT_EQ(2U, error.messages().size());
  EXPECT_EQ(3, error.exit_code());
}

TEST(EmbeddedMachine, a_watch_may_end_a_launch) {
  const Kernel forever =
      Kernel::from_text(".entry forever\n{\nagain:\n    bra.label again\n    return\n}\n", "forever.asm");
  LaunchOptions options;
  options.watch = [](const LaunchProgress& now) { return now.cycles == 0; };
  EXPECT_EQ("interrupted", Machine("8800gtx").launch(forever, {1}, {32}, {}, options).status());
  options.watch = {};
  options.max_cycles = 10'000;
  EXPECT_EQ("limit", Machine("8800gtx").launch(forever, {1}, {32}, {}, options).status());
}

TEST(EmbeddedMachine, models_speak_before_a_run) {
  std::vector<int> data(32, 1);
  const std::vector<Prediction> said = Machine().predict(shift_kernel(), {1}, {32}, {41, data});
  EXPECT_EQ(std::vector<int>(32, 1), data);
  ASSERT_FALSE(said.empty());
  std::size_t of_launch = 0;
  for (const ModelInfo& model : models()) of_launch += model.of_launch ? 1 : 0;
  EXPECT_EQ(of_launch, said.size());
}

}  // namespace
}  // namespace teslasim::embed
