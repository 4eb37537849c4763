// SPDX-License-Identifier: Apache-2.0
// The floor plan in the SystemC hierarchy: every box is there, and is the place of the part that works in the
// simulation, not only a name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <systemc>
#include <vector>

#include "sim/gpu/floor_plan/crossbar_module.h"
#include "sim/gpu/floor_plan/memory_management_module.h"
#include "sim/gpu/floor_plan/partition_module.h"
#include "sim/gpu/floor_plan/sm_module.h"
#include "sim/gpu/floor_plan/tpc_module.h"
#include "sim/gpu/floor_plan/unit_module.h"
#include "sim/gpu/gpu_simulator.h"
#include "tests/gpu/gpu_bench.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {
namespace {

template <class SystemCModule>
const SystemCModule& module_at(const std::string& name) {
  const auto* module = dynamic_cast<const SystemCModule*>(sc_core::sc_find_object(name.c_str()));
  if (module == nullptr) throw std::runtime_error(name + " is not on the floor plan, or another kind of module");
  return *module;
}

/// The part of the unit `name`, which must be a `Part`.
template <class Part>
const void* part(const std::string& name) {
  return &module_at<UnitModule<Part>>(name).part();
}

/// Names of the modules inside `parent`, at any depth, relative to it.
void list_modules(const sc_core::sc_object& parent, const std::string& prefix, std::vector<std::string>& names) {
  for (const sc_core::sc_object* child : parent.get_child_objects()) {
    if (dynamic_cast<const sc_core::sc_module*>(child) == nullptr) continue;
    names.push_back(prefix + child->basename());
    list_modules(*child, prefix + child->basename() + ".", names);
  }
}

std::vector<std::string> modules_in(const std::string& parent) {
  std::vector<std::string> names;
  list_modules(*sc_core::sc_find_object(parent.c_str()), "", names);
  return names;
}

class FloorPlanTest : public ::testing::Test {
 protected:
  SystemCContext context_{SystemCContext::Engine::left_to_the_model};
  GpuSimulator gpu_{machine("gtx280"), {}};
};

TEST_F(FloorPlanTest, has_every_box) {
  for (const char* name : {"gpu", "gpu.block_scheduler", "gpu.tpc9.sm2", "gpu.tpc3.constant_l2", "gpu.constant_l3",
                           "gpu.crossbar", "gpu.mmu", "gpu.partition7.dram", "gpu.island"}) {
    EXPECT_NE(sc_core::sc_find_object(name), nullptr) << name;
  }
  EXPECT_EQ(sc_core::sc_find_object("gpu.tpc10"), nullptr);
}

TEST_F(FloorPlanTest, every_unit_of_an_sm_is_the_part_that_works_in_it) {
  const std::string name = "gpu.tpc3.sm1.";
  const Sm& sm = module_at<SmModule>("gpu.tpc3.sm1").core();
  const ExecuteStage& execute = sm.execute();
  const ExecutionUnits& units = execute.units();
  const LoadStoreUnit& load_store = execute.load_store();
  struct Row {
    const void* on_floor_plan;
    const void* at_work;
  };
  const std::map<std::string, Row> rows{
      {"block_slots", {part<BlockSlots>(name + "block_slots"), &sm.blocks()}},
      {"front_end", {part<FrontEnd>(name + "front_end"), &sm.front_end()}},
      {"front_end.fetch", {part<FetchUnit>(name + "front_end.fetch"), &sm.front_end().fetch_unit()}},
      {"issue", {part<IssueStage>(name + "issue"), &sm.issue()}},
      {"warp_scheduler", {part<WarpScheduler>(name + "warp_scheduler"), &sm.issue().scheduler()}},
      {"scoreboard", {part<Scoreboard>(name + "scoreboard"), &sm.issue().scoreboard()}},
      {"register_file", {part<RegisterFile>(name + "register_file"), &execute.registers()}},
      {"mad_unit", {part<FunctionalUnit>(name + "mad_unit"), &units.mad()}},
      {"mad_unit.collectors", {part<OperandCollectors>(name + "mad_unit.collectors"), &units.mad().collectors()}},
      {"sfu_unit", {part<FunctionalUnit>(name + "sfu_unit"), &units.sfu()}},
      {"sfu_unit.collectors", {part<OperandCollectors>(name + "sfu_unit.collectors"), &units.sfu().collectors()}},
      {"dp_unit", {part<FunctionalUnit>(name + "dp_unit"), &units.dp()}},
      {"dp_unit.collectors", {part<OperandCollectors>(name + "dp_unit.collectors"), &units.dp().collectors()}},
      {"barrier_unit", {part<FunctionalUnit>(name + "barrier_unit"), &execute.barrier_unit()}},
      {"shared_memory", {part<SharedMemory>(name + "shared_memory"), &execute.shared_memory()}},
      {"shared_memory.banks",
       {part<SharedMemoryBanks>(name + "shared_memory.banks"), &execute.shared_memory().banks()}},
      {"constant_port", {part<ConstantPort>(name + "constant_port"), &execute.constants()}},
      {"constant_cache", {part<ConstantCache>(name + "constant_cache"), &execute.constants().cache()}},
      {"load_store_unit", {part<LoadStoreUnit>(name + "load_store_unit"), &load_store}},
      {"load_store_unit.address_generation",
       {part<FunctionalUnit>(name + "load_store_unit.address_generation"), &load_store.address_generation()}},
      {"load_store_unit.coalescer",
       {part<CoalescingRules>(name + "load_store_unit.coalescer"), &load_store.coalescer()}},
      {"write_back", {part<WriteBack>(name + "write_back"), &sm.write_back()}},
  };
  std::vector<std::string> names;
  for (const auto& [unit, row] : rows) {
    EXPECT_EQ(row.on_floor_plan, row.at_work) << unit;
    names.push_back(unit);
  }
  EXPECT_THAT(modules_in("gpu.tpc3.sm1"), ::testing::UnorderedElementsAreArray(names)) << "a module without its part";
}

TEST_F(FloorPlanTest, every_module_shows_something_in_waveforms_but_for_those_that_only_hold_others) {
  std::set<std::string> silent;
  for (const std::string& name : modules_in("gpu")) {
    const auto* module = dynamic_cast<const TracedModule*>(sc_core::sc_find_object(("gpu." + name).c_str()));
    if (module == nullptr || module->signals() == 0) silent.insert(name);
  }
  std::set<std::string> holders{"crossbar", "island"};
  for (unsigned tpc = 0; tpc < 10; ++tpc) holders.insert("tpc" + std::to_string(tpc));
  EXPECT_EQ(silent, holders);
}

TEST_F(FloorPlanTest, a_tpc_shows_its_port_to_memory_and_its_caches) {
  const auto& tpc = module_at<TpcModule>("gpu.tpc3");
  EXPECT_EQ(part<TpcMemoryPort>("gpu.tpc3.memory_port"), &tpc.core());
  EXPECT_EQ(part<TagArray>("gpu.tpc3.memory_port.tlb"), &tpc.core().tlb());
  EXPECT_EQ(&module_at<TextureModule>("gpu.tpc3.texture").core, &tpc.textures());
  for (unsigned sm = 0; sm < 3; ++sm) {
    EXPECT_EQ(part<TagArray>("gpu.tpc3.texture.cache" + std::to_string(sm)), &tpc.textures().cache(sm)) << sm;
  }
}

TEST_F(FloorPlanTest, memory_shows_networks_controllers_and_units) {
  const auto& crossbar = module_at<CrossbarModule>("gpu.crossbar");
  EXPECT_EQ(part<CrossbarNetwork>("gpu.crossbar.request_network"), &crossbar.request_network());
  EXPECT_EQ(part<CrossbarNetwork>("gpu.crossbar.response_network"), &crossbar.response_network());
  const auto& management = module_at<MemoryManagementModule>("gpu.mmu");
  EXPECT_EQ(part<TagArray>("gpu.mmu.tlb"), &management.core().tlb());
  const auto& partition = module_at<PartitionModule>("gpu.partition2");
  EXPECT_EQ(part<DramController>("gpu.partition2.controller"), &partition.dram()->core);
  EXPECT_EQ(part<RopUnit>("gpu.partition2.rop"), &partition.core().rop());
}

TEST(FloorPlanOfG80, has_no_double_precision_unit) {
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(machine("8800gtx"), {});
  EXPECT_EQ(sc_core::sc_find_object("gpu.tpc0.sm0.dp_unit"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("gpu.tpc7.sm1.mad_unit"), nullptr);
}

}  // namespace
}  // namespace teslasim::testing
