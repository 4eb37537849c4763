// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/control.h"

#include <gtest/gtest.h>

#include <map>

#include "sim/base/diagnostic.h"
#include "sim/cudart/board_loader.h"
#include "sim/gpu/machine/machine_loader.h"

namespace teslasim::cudart {
namespace {

Control control_of(const std::map<std::string, std::string>& variables) {
  return read_control([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Control, nothing_set_means_the_usual_machine_in_time) {
  const Control control = control_of({});
  EXPECT_TRUE(control.machines.empty());
  EXPECT_EQ(control.mode.mode_of(0, "k"), Mode::timing);
  EXPECT_EQ(control.runs, "runs");
  EXPECT_TRUE(control.copies_take_time);
  EXPECT_TRUE(control.only_buffers);
}

TEST(Control, kernels_reach_buffers_or_the_board) {
  EXPECT_FALSE(control_of({{"TESLASIM_BOUNDS", "board"}}).only_buffers);
  EXPECT_TRUE(control_of({{"TESLASIM_BOUNDS", "buffers"}}).only_buffers);
  EXPECT_THROW((void)control_of({{"TESLASIM_BOUNDS", "none"}}), InputError);
}

TEST(Control, words_are_separated_by_blanks) {
  const Control control = control_of({{"TESLASIM_MACHINE", "gtx280 my.toml"}, {"TESLASIM_SET", "a.b=1  c.d=2"}});
  EXPECT_EQ(control.machines, (std::vector<std::string>{"gtx280", "my.toml"}));
  EXPECT_EQ(control.sets, (std::vector<std::string>{"a.b=1", "c.d=2"}));
}

TEST(Control, modes_choose_launches) {
  EXPECT_EQ(ModeChoice::parse("functional").mode_of(0, "k"), Mode::functional);
  const ModeChoice every = ModeChoice::parse("timing:every=10");
  EXPECT_EQ(every.mode_of(20, "k"), Mode::timing);
  EXPECT_EQ(every.mode_of(21, "k"), Mode::functional);
  const ModeChoice numbers = ModeChoice::parse("timing:launches=0-3,7");
  EXPECT_EQ(numbers.mode_of(3, "k"), Mode::timing);
  EXPECT_EQ(numbers.mode_of(4, "k"), Mode::functional);
  EXPECT_EQ(numbers.mode_of(7, "k"), Mode::timing);
  const ModeChoice kernels = ModeChoice::parse("timing:kernels=scan,add");
  EXPECT_EQ(kernels.mode_of(5, "add"), Mode::timing);
  EXPECT_EQ(kernels.mode_of(5, "adds"), Mode::functional);
  EXPECT_EQ(kernels.mode_of(5, "_Z4scanIfLi3EEvPT_"), Mode::timing) << "an instance of a template";
  const ModeChoice instances = ModeChoice::parse("timing:kernels=scan<float, 3>,add");
  EXPECT_EQ(instances.mode_of(5, "scan<float, 3>"), Mode::timing);
  EXPECT_EQ(instances.mode_of(5, "_Z4scanIfLi3EEvPT_"), Mode::timing);
  EXPECT_EQ(instances.mode_of(5, "scan<int, 3>"), Mode::functional);
  EXPECT_EQ(instances.mode_of(5, "add"), Mode::timing);
}

TEST(Control, all_that_is_wrong_is_said_at_once) {
  try {
    (void)control_of({{"TESLASIM_MODE", "fast"},
                      {"TESLASIM_MAX_SECONDS", "soon"},
                      {"TESLASIM_MAX_CYCLES", "0"},
                      {"TESLASIM_COPIES", "maybe"}});
    FAIL() << "nothing was said";
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    EXPECT_EQ(error.diagnostics().size(), 4U);
  }
  for (const char* mode : {"", "timing:", "timing:every=0", "timing:every=x", "timing:kernels=", "timing:launches="})
    EXPECT_THROW((void)ModeChoice::parse(mode), InputError) << mode;
}

TEST(Board, each_machine_has_its_memory_and_its_link) {
  EXPECT_EQ(load_board("8800gtx", {}).spec.memory_mb, 768U);
  EXPECT_EQ(load_board("8800gtx", {}).spec.pinned_to_device_gbs, 3.3);
  EXPECT_EQ(load_board("8800gtx", {}).spec.copy_us, 10.0);
  EXPECT_EQ(load_board("gtx285", {}).spec.pinned_to_device_gbs, 5.7);
  EXPECT_EQ(load_board("mine", {}).spec.memory_mb, 1024U) << "a machine of the user's own";
  for (const PresetInfo& preset : preset_list()) {
    for (const EffectiveValue& value : load_board(preset.name, {}).values)
      EXPECT_FALSE(value.source.empty()) << preset.name << " " << value.key;
  }
}

TEST(Board, its_keys_are_set_like_those_of_the_machine) {
  const SetWords words = told_apart({"board.copy_us=5", "gpu.tpcs=2"});
  EXPECT_EQ(words.machine, std::vector<std::string>{"gpu.tpcs=2"});
  EXPECT_EQ(load_board("gtx280", words.board).spec.copy_us, 5.0);
  EXPECT_THROW((void)load_board("gtx280", {"board.copy_us=-1"}), InputError);
  EXPECT_THROW((void)load_board("gtx280", {"board.memory=1"}), InputError);
}

}  // namespace
}  // namespace teslasim::cudart
