// SPDX-License-Identifier: Apache-2.0
// Machine files as users see them: presets, layers, cross checks, views.
#include "sim/gpu/machine/machine_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace teslasim {
namespace {

using ::testing::HasSubstr;

std::string complaint(const std::vector<std::string>& configs, const std::vector<std::string>& sets = {}) {
  try {
    (void)load_machine(configs, sets);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::configuration);
    return render(error.diagnostics());
  }
  return "";
}

const EffectiveValue& value_of(const LoadedMachine& machine, const std::string& key) {
  for (const EffectiveValue& value : machine.values) {
    if (value.key == key) return value;
  }
  throw std::out_of_range(key);
}

/// A folder of files that goes away with the test.
class MachineFiles : public ::testing::Test {
 protected:
  MachineFiles()
      : folder_(std::filesystem::path(::testing::TempDir()).lexically_normal() /
                ("teslasim-machines-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~MachineFiles() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "schema = \"teslasim.machine/1\"\n" << text;
    return path.string();
  }
  std::filesystem::path folder_;
};

TEST(MachineLoader, NothingGivenMeansGtx280) {
  const LoadedMachine machine = load_machine({}, {});
  EXPECT_EQ(machine.spec.preset, "gtx280");
  EXPECT_EQ(machine.spec.name, "GeForce GTX 280");
  EXPECT_EQ(machine.spec.sms(), 30U);
  EXPECT_EQ(machine.spec.sm_level(), 13U);
  EXPECT_TRUE(machine.warnings.empty());
}

TEST(MachineLoader, UnknownPresetNamesTheNearestAndAll) {
  const std::string text = complaint({"gtx208"});
  EXPECT_THAT(text, HasSubstr("error[CFG-PRESET]: there is no machine preset 'gtx208'"));
  EXPECT_THAT(text, HasSubstr("did you mean 'gtx280'?"));
  EXPECT_THAT(text, HasSubstr("8800gtx"));
  EXPECT_THAT(complaint({"GeForce GTX 275"}), HasSubstr("did you mean 'gtx275'?"));
  EXPECT_THAT(complaint({"geforce_8600_gt"}), HasSubstr("did you mean '8600gt'?"));
  EXPECT_THAT(complaint({"NVIDIA Quadro FX 4800"}), HasSubstr("did you mean 'fx4800'?"));
  EXPECT_THAT(complaint({"gt200"}), HasSubstr("CFG-PRESET")) << "a family file is not a machine";
}

TEST_F(MachineFiles, UnreadableFileSaysWhy) {
  EXPECT_THAT(complaint({(folder_ / "none.toml").string()}), HasSubstr("No such file or directory"));
  EXPECT_THAT(complaint({folder_.string()}), HasSubstr("it is a directory"));
}

TEST_F(MachineFiles, MessagesLookAsDocumented) {
  const std::string path = write("my.toml", "[sm]\nwarp_sise = 32\nregister_file.banks = 15\n");
  EXPECT_EQ(complaint({path}),
            "error[CFG-UNKNOWN]: unknown key 'sm.warp_sise'\n"
            "  --> " +
                path +
                ":3:1\n"
                "   |\n"
                "  3| warp_sise = 32\n"
                "   | ^^^^^^^^^\n"
                "   = help: did you mean 'sm.warp_size'?\n"
                "error[CFG-RANGE]: 'sm.register_file.banks' must be a power of two between 1 and 64, got 15\n"
                "  --> " +
                path +
                ":4:23\n"
                "   |\n"
                "  4| register_file.banks = 15\n"
                "   |                       ^^\n");
}

TEST_F(MachineFiles, OwnFileExtendsPresetsFamiliesAndFilesBesideIt) {
  write("base/common.toml", "extends = \"gt200\"\nsm.registers = 32768\n");
  const std::string path = write("mine.toml", "extends = \"base/common.toml\"\ngpu.tpcs = 2\n");
  const LoadedMachine machine = load_machine({path}, {"sm.shared.bytes=32768"});
  EXPECT_EQ(machine.spec.preset, "");
  EXPECT_EQ(machine.spec.name, "mine");
  EXPECT_EQ(machine.spec.sms(), 6U);
  EXPECT_EQ(machine.spec.sm.registers, 32768U);
  EXPECT_EQ(value_of(machine, "gpu.tpcs").origin, path + ":3");
  EXPECT_EQ(value_of(machine, "sm.dp_units").origin, "preset gt200");
  EXPECT_EQ(value_of(machine, "sm.shared.bytes").origin, "--set");
  EXPECT_EQ(value_of(machine, "clock.core_mhz").origin, "default");
}

TEST_F(MachineFiles, ExtendingItselfIsAnError) {
  const std::string path = write("a.toml", "extends = \"sub/../a.toml\"\n");
  EXPECT_THAT(complaint({path}), HasSubstr("error[CFG-CYCLE]"));
}

TEST(MachineLoader, PresetWithAnOverrideKeepsItsName) {
  const LoadedMachine machine = load_machine({"8800gtx"}, {"gpu.tpcs=4"});
  EXPECT_EQ(machine.spec.preset, "8800gtx");
  EXPECT_EQ(machine.spec.sms(), 8U);
}

TEST(MachineCheck, DerivedFiguresThatDisagreeAreAnError) {
  EXPECT_THAT(complaint({"gtx280"}, {"derived.peak_gbs_dram=159"}),
              HasSubstr("error[CFG-CROSS]: 'derived.peak_gbs_dram' says 159 GB/s, but the other keys give 141.70"));
  EXPECT_THAT(complaint({"gtx280"}, {"derived.peak_gflops_mad=623"}), HasSubstr("CFG-CROSS"));
  EXPECT_EQ(complaint({"gtx280"}, {"derived.peak_gflops_mad=622.1"}), "") << "published figures are rounded";
}

TEST(MachineCheck, WhatIfRecomputesDerivedFigures) {
  const LoadedMachine machine = load_machine({"gtx280"}, {"clock.memory_mhz=1242"});
  EXPECT_DOUBLE_EQ(machine.spec.derived.peak_gbs_dram, 158.976);
  EXPECT_EQ(value_of(machine, "derived.peak_gbs_dram").origin, "computed");
  EXPECT_EQ(value_of(machine, "derived.peak_gflops_mad").origin, "preset gtx280");
}

TEST(MachineCheck, EveryRuleRefusesItsViolation) {
  EXPECT_THAT(complaint({}, {"sm.registers=16400"}), HasSubstr("16400 registers of an SM are not a multiple"));
  EXPECT_THAT(complaint({}, {"sm.shared.bytes=16000"}), HasSubstr("16000 bytes of shared memory are not a multiple"));
  EXPECT_THAT(complaint({}, {"sm.shared.bytes=1100", "sm.shared.alloc_unit_bytes=1"}),
              HasSubstr("not a multiple of 16 banks of 4 bytes"));
  EXPECT_THAT(complaint({"gt240"}, {"sm.dp_units=1"}), HasSubstr("has no double precision"));
  EXPECT_THAT(complaint({}, {"tpc.response_ns=1.5"}), HasSubstr("less than one SM cycle (1.543 ns)"));
  EXPECT_THAT(complaint({}, {"dram.timing.refresh_ns=10000"}), HasSubstr("the memory is refreshed every 4318 memory"));
}

TEST(MachineCheck, CrossErrorsPointAtTheLastChange) {
  EXPECT_EQ(complaint({"gt240"}, {"sm.dp_units=1"}),
            "error[CFG-CROSS]: an sm_12 machine has no double precision, yet 'sm.dp_units' is 1\n"
            "  --> command line\n"
            "   |\n"
            "   | --set sm.dp_units=1\n"
            "   |                   ^\n");
}

TEST(MachineCheck, UnusualCoalescingIsOnlyAWarning) {
  const LoadedMachine machine = load_machine({"8800gtx"}, {"coalescing.rules=cc12"});
  ASSERT_EQ(machine.warnings.size(), 1U);
  EXPECT_EQ(machine.warnings[0].severity, Diagnostic::Severity::warning);
  EXPECT_EQ(machine.warnings[0].message, "sm_10 hardware coalesces by the rules 'cc10', this machine by 'cc12'");
}

TEST(MachineViews, DiffShowsOnlyWhatDiffers) {
  EXPECT_TRUE(diff(load_machine({"gtx280"}, {}), load_machine({"gtx280"}, {})).empty());
  const auto differences = diff(load_machine({"gtx280"}, {}), load_machine({"gtx280"}, {"sm.shared.banks=32"}));
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences[0].key, "sm.shared.banks");
  EXPECT_EQ(differences[0].left, "16");
  EXPECT_EQ(differences[0].right, "32");
  EXPECT_EQ(differences[0].left_origin, "preset tesla");
  EXPECT_EQ(differences[0].right_origin, "--set");
}

TEST(MachineViews, JsonSchemaCoversEveryKey) {
  const auto schema = nlohmann::json::parse(machine_json_schema());
  for (const EffectiveValue& value : load_machine({}, {}).values) {
    std::string pointer = "/properties/" + value.key;
    for (std::size_t dot = pointer.find('.'); dot != std::string::npos; dot = pointer.find('.')) {
      pointer.replace(dot, 1, "/properties/");
    }
    EXPECT_TRUE(schema.contains(nlohmann::json::json_pointer(pointer))) << pointer;
  }
  EXPECT_EQ(schema["properties"]["sm"]["properties"]["register_file"]["properties"]["banks"]["enum"],
            nlohmann::json({1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(schema["properties"]["sm"]["additionalProperties"], false);
}

TEST(MachineViews, ReferenceHasARowForEveryKey) {
  const std::string reference = config_reference_markdown();
  for (const EffectiveValue& value : load_machine({}, {}).values) {
    EXPECT_THAT(reference, HasSubstr("| `" + value.key + "` |"));
  }
}

RC_GTEST_PROP(MachineProperty, AnyTextLoadsOrIsRefused, ()) {
  const auto piece = rc::gen::elementOf(std::vector<std::string>{"schema = \"teslasim.machine/1\"\n",
                                                                 "extends = \"gtx280\"\n",
                                                                 "extends = \"tiny\"\n",
                                                                 "extends = \"my.toml\"\n",
                                                                 "[sm]\n",
                                                                 "[gpu]\n",
                                                                 "[sm.shared]\n",
                                                                 "banks = 4\n",
                                                                 "tpcs = 3\n",
                                                                 "registers = 1024\n",
                                                                 "tpcs",
                                                                 " = ",
                                                                 "0\n",
                                                                 "-1\n",
                                                                 "\"",
                                                                 "[",
                                                                 "]",
                                                                 "#",
                                                                 "# source: a\n",
                                                                 "\n",
                                                                 "dp_units = 0\n",
                                                                 "arch = \"sm_10\"\n",
                                                                 "\xff"});
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
  try {
    const LoadedMachine machine = load_machine_text("my.toml", text);
    RC_ASSERT(machine.spec.derived.peak_gflops_mad > 0.0);
  } catch (const InputError& error) {
    RC_ASSERT(!error.diagnostics().empty());
  }
}

}  // namespace
}  // namespace teslasim
