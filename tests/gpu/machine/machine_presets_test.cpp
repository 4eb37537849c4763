// SPDX-License-Identifier: Apache-2.0
// Every machine that ships: loads, is complete, says where each value comes from, agrees with published figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/gpu/machine/machine_loader.h"

namespace teslasim {
namespace {

const EffectiveValue& value_of(const LoadedMachine& machine, const std::string& key) {
  for (const EffectiveValue& value : machine.values) {
    if (value.key == key) return value;
  }
  throw std::out_of_range(key);
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const PresetInfo& preset : preset_list()) names.push_back(preset.name);
  return names;
}

std::filesystem::path configs_folder() {
  return std::filesystem::path(TESLASIM_SOURCE_DIR) / "configs";
}

TEST(Presets, AreTheFilesWithAName) {
  std::set<std::string> expected;
  for (const auto& entry : std::filesystem::directory_iterator(configs_folder())) {
    if (entry.path().extension() != ".toml") continue;
    if (!value_of(load_machine({entry.path().string()}, {}), "name").source.empty())
      expected.insert(entry.path().stem());
  }
  const std::vector<std::string> names = preset_names();
  EXPECT_GT(names.size(), 39U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), expected);
}

TEST(Presets, AreListedInTheOrderOfTheirFile) {
  std::ifstream file(configs_folder() / "order.txt");
  std::vector<std::string> order;
  for (std::string name; file >> name;) order.push_back(name);
  std::vector<std::string> names = preset_names();
  ASSERT_GE(names.size(), order.size());
  EXPECT_TRUE(std::is_sorted(names.begin() + static_cast<std::ptrdiff_t>(order.size()), names.end()));
  names.resize(order.size());
  EXPECT_EQ(names, order);
  EXPECT_EQ(names.front(), default_machine) << "big to small";
}

TEST(Presets, LoadWithoutWarningAndAreNamed) {
  for (const PresetInfo& preset : preset_list()) {
    const LoadedMachine machine = load_machine({preset.name}, {});
    EXPECT_TRUE(machine.warnings.empty()) << preset.name;
    EXPECT_EQ(machine.spec.preset, preset.name);
    EXPECT_FALSE(preset.title.empty()) << preset.name;
    EXPECT_FALSE(machine.spec.preset_version.empty()) << preset.name;
  }
}

TEST(Presets, EveryValueHasASourceAndNoneIsLeftToDefaults) {
  for (const PresetInfo& preset : preset_list()) {
    for (const EffectiveValue& value : load_machine({preset.name}, {}).values) {
      EXPECT_FALSE(value.source.empty()) << preset.name << ": " << value.key << " = " << value.value;
      EXPECT_EQ(value.origin.rfind("preset ", 0), 0U) << preset.name << ": " << value.key << " from " << value.origin;
    }
  }
}

TEST(Presets, EffectiveConfigurationLoadsToTheSameMachine) {
  for (const PresetInfo& preset : preset_list()) {
    const LoadedMachine first = load_machine({preset.name}, {"gpu.cta_launch_cycles=33", "noc.request_ns=33.125"});
    const LoadedMachine second = load_machine_text("config.effective.toml", effective_toml(first));
    EXPECT_TRUE(diff(first, second).empty()) << preset.name;
    for (std::size_t i = 0; i < first.values.size(); ++i) {
      EXPECT_EQ(first.values[i].source, second.values[i].source) << preset.name << ": " << first.values[i].key;
    }
    EXPECT_EQ(effective_toml(load_machine_text("config.effective.toml", effective_toml(second))).size(),
              effective_toml(second).size())
        << "a dump of a dump grows";
  }
}

TEST(Presets, ResponseLatencyLeavesRoomForLookAhead) {
  // The SMs may run ahead of the memory side by the response latency; eight SM cycles are the default look-ahead.
  constexpr double shader_cycles = 8 * 2;
  for (const PresetInfo& preset : preset_list()) {
    const MachineSpec spec = load_machine({preset.name}, {}).spec;
    EXPECT_GE(spec.tpc.credit_ns, shader_cycles * 1000.0 / spec.clock.shader_mhz) << preset.name;
    EXPECT_GE(spec.tpc.response_ns, shader_cycles * 1000.0 / spec.clock.shader_mhz) << preset.name;
  }
}

TEST(Presets, DispatchOrderIsTheMeasuredOne) {
  EXPECT_EQ(load_machine({"8800gtx"}, {}).spec.gpu.cta_scheduler, "depth_first");
  EXPECT_EQ(load_machine({"c870"}, {}).spec.gpu.cta_scheduler, "depth_first");
  EXPECT_EQ(load_machine({"9800gx2"}, {}).spec.gpu.cta_scheduler, "breadth_first");
  EXPECT_EQ(load_machine({"gtx280"}, {}).spec.gpu.cta_scheduler, "breadth_first");
  EXPECT_EQ(value_of(load_machine({"9600gt"}, {}), "gpu.cta_scheduler").source, "assumed: as G92");
}

TEST(Presets, ChipsThatSourcesDisagreeAboutHaveTheProcessorsThatWereSold) {
  // docs/decisions/0002: 64 and 8 SPs.
  EXPECT_EQ(load_machine({"9600gt"}, {}).spec.sms(), 8U);
  EXPECT_EQ(load_machine({"g100"}, {}).spec.sms(), 1U);
}

TEST(Presets, EveryFileBelongsToAMachine) {
  // A file in configs/ is a preset or extended by one; anything else would be dead.
  std::map<std::string, bool> used;
  const std::filesystem::path folder = std::filesystem::path(TESLASIM_SOURCE_DIR) / "configs";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::filesystem::path name = std::filesystem::relative(entry.path(), folder).replace_extension();
    if (entry.path().extension() == ".toml") used[name.string()] = false;
  }
  for (const PresetInfo& preset : preset_list()) {
    used[preset.name] = true;
    for (const EffectiveValue& value : load_machine({preset.name}, {}).values) used[value.origin.substr(7)] = true;
  }
  for (const auto& [name, is_used] : used) EXPECT_TRUE(is_used) << name;
}

struct Peak {
  const char* preset;
  unsigned sms, partitions;
  double gbs, gflops_mad, gflops_mad_mul;
};

TEST(Presets, PeaksOfPartsWithUnitsSwitchedOffAreThoseOfTheDataSheets) {
  const std::vector<Peak> peaks{
      {"gtx260", 24, 7, 111.9, 476.9, 715.4},
      {"gtx260_216", 27, 7, 111.9, 536.5, 804.8},
      {"8800ultra", 16, 6, 103.7, 387.1, 580.6},
      {"8800gts_640", 12, 5, 64.0, 228.1, 342.1},
      {"8800gts_320", 12, 5, 64.0, 228.1, 342.1},
      {"8800gts_512", 16, 4, 62.1, 416.0, 624.0},
      {"9800gtx", 16, 4, 70.4, 432.1, 648.2},
      {"9800gtx_plus", 16, 4, 70.4, 470.0, 705.0},
      {"ion", 2, 2, 12.8, 35.2, 52.8},
      {"gtx275", 30, 7, 127.0, 673.9, 1010.9},
      {"gtx295", 30, 7, 111.9, 596.2, 894.2},
      {"s1070", 30, 8, 102.4, 691.2, 1036.8},
      {"fx4800", 24, 6, 76.8, 462.3, 693.5},
      {"fx4600", 12, 6, 67.2, 230.4, 345.6},
      {"gts250", 16, 4, 70.4, 470.0, 705.0},
      {"9800gt", 14, 4, 57.6, 336.0, 504.0},
      {"fx3700", 14, 4, 51.2, 280.0, 420.0},
      {"8600gt", 4, 2, 22.4, 76.2, 114.2},
      {"9400gt", 2, 2, 12.8, 44.8, 67.2},
      {"8400gs", 2, 1, 6.4, 28.8, 43.2},
  };
  for (const Peak& peak : peaks) {
    const MachineSpec spec = load_machine({peak.preset}, {}).spec;
    EXPECT_EQ(spec.sms(), peak.sms) << peak.preset;
    EXPECT_EQ(spec.dram.partitions, peak.partitions) << peak.preset;
    EXPECT_NEAR(spec.derived.peak_gbs_dram, peak.gbs, 0.06) << peak.preset;
    EXPECT_NEAR(spec.derived.peak_gflops_mad, peak.gflops_mad, 0.06) << peak.preset;
    EXPECT_NEAR(spec.derived.peak_gflops_mad_mul, peak.gflops_mad_mul, 0.06) << peak.preset;
  }
}

TEST(Tiny, RunsEveryShippedKernel) {
  const MachineSpec tiny = load_machine({"tiny"}, {}).spec;
  EXPECT_EQ(tiny.sms(), 1U);
  EXPECT_EQ(tiny.gpu.max_warps_per_sm, 8U) << "16x16 blocks need eight warps";
  EXPECT_EQ(tiny.gpu.max_ctas_per_sm, 2U);
  EXPECT_EQ(tiny.sm.shared.banks, 4U);
  EXPECT_EQ(tiny.sm.shared.access_group, 4U);
  EXPECT_EQ(tiny.dram.partitions, 1U);
  const double sm_cycle_ns = 2000.0 / tiny.clock.shader_mhz;
  const double path_ns =
      tiny.tpc.request_ns + tiny.noc.request_ns + tiny.dram.latency_ns + tiny.noc.response_ns + tiny.tpc.response_ns;
  EXPECT_NEAR(path_ns / sm_cycle_ns, 18.0, 2.0) << "about 20 SM cycles with the transfer";
}

std::vector<std::string> csv_row(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

using Card = std::map<std::string, std::string>;

std::map<std::string, Card> read_cards(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = csv_row(line);
  std::map<std::string, Card> cards;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = csv_row(line);
    for (std::size_t i = 0; i < cells.size() && i < header.size(); ++i) cards[cells[0]][header[i]] = cells[i];
  }
  return cards;
}

void expect_near_relative(double ours, double published, const std::string& what) {
  EXPECT_NEAR(ours, published, 0.002 * published) << what;
}

void compare_card(const MachineSpec& spec, const Card& card) {
  const auto number = [&](const char* column) { return std::strtod(card.at(column).c_str(), nullptr); };
  const std::string& name = spec.preset;
  EXPECT_EQ(spec.clock.core_mhz, number("core_mhz")) << name;
  EXPECT_EQ(spec.clock.shader_mhz, number("shader_mhz")) << name;
  EXPECT_EQ(spec.clock.memory_mhz, number("memory_mhz")) << name;
  EXPECT_EQ("sm_" + card.at("compute_capability").substr(0, 1) + card.at("compute_capability").substr(2), spec.arch)
      << name;
  EXPECT_EQ(spec.dram.partitions, number("partitions")) << name;
  EXPECT_EQ(spec.dram.partitions * spec.dram.bus_width_bits_per_partition, number("bus_bits")) << name;
  EXPECT_EQ(spec.sm.registers, number("regs_per_sm")) << name;
  EXPECT_EQ(spec.sm.register_alloc_unit, number("reg_alloc_unit")) << name;
  EXPECT_EQ(spec.sm.warp_alloc_granularity, number("warp_alloc_gran")) << name;
  EXPECT_EQ(spec.gpu.max_warps_per_sm, number("max_warps_sm")) << name;
  EXPECT_EQ(spec.gpu.max_ctas_per_sm, number("max_blocks_sm")) << name;
  EXPECT_EQ(spec.gpu.max_threads_per_cta, number("max_threads_block")) << name;
  EXPECT_EQ(spec.sm.shared.bytes, number("smem_bytes_sm")) << name;
  EXPECT_EQ(spec.sm.shared.banks, number("smem_banks")) << name;
  EXPECT_EQ(spec.sm.shared.alloc_unit_bytes, number("smem_alloc_unit")) << name;
  expect_near_relative(spec.derived.peak_gbs_dram, number("bandwidth_gbs"), name + " GB/s");
  EXPECT_EQ(spec.gpu.tpcs, number("tpcs")) << name;
  EXPECT_EQ(spec.gpu.sms_per_tpc, number("sms_per_tpc")) << name;
  EXPECT_EQ(spec.sm.dp_units > 0, number("peak_dp_gflops") > 0) << name;
  expect_near_relative(spec.derived.peak_gflops_mad, number("peak_mad_gflops"), name + " MAD");
  expect_near_relative(spec.derived.peak_gflops_mad_mul, number("peak_mad_mul_gflops"), name + " MAD+MUL");
}

TEST(Presets, AgreeWithTheListOfCards) {
  const std::filesystem::path path = std::filesystem::path(TESLASIM_SOURCE_DIR) / "../shared/data/gpus.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no list of cards at " << path;
  const std::map<std::string, Card> cards = read_cards(path);
  // No cards that were sold, and cards that the list does not have.
  const std::set<std::string> unlisted{"tiny",   "8800gt_1600", "8800gts_320", "9800gtx_plus", "ion",    "s1070",
                                       "fx4800", "gts250",      "9800gt",      "fx3700",       "9400gt", "8400gs"};
  unsigned compared = 0;
  for (const PresetInfo& preset : preset_list()) {
    if (unlisted.contains(preset.name)) continue;
    const MachineSpec spec = load_machine({preset.name}, {}).spec;
    const std::string title = preset.name == "t10p" ? "T10P prototype" : spec.name;
    ASSERT_TRUE(cards.count(title) == 1) << title;
    compare_card(spec, cards.at(title));
    ++compared;
  }
  EXPECT_EQ(compared, 28U);
}

}  // namespace
}  // namespace teslasim
