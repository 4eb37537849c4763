// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a launch file give a workload or an InputError, never a crash.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "frontend/workload/read/load.h"
#include "sim/base/diagnostic.h"

namespace {

std::shared_ptr<const teslasim::Module> module_to_launch() {
  auto module = std::make_shared<teslasim::Module>();
  module->path = "fuzz.asm";
  module->kernels.resize(2);
  module->kernels[0].name = "saxpy";
  module->kernels[0].parameters = {{"n", teslasim::ValueType::u32, 0},
                                   {"a", teslasim::ValueType::f32, 4},
                                   {"x", teslasim::ValueType::b32, 8},
                                   {"y", teslasim::ValueType::b32, 12}};
  module->kernels[1].name = "mad_chain";
  return module;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<const teslasim::Module> module = module_to_launch();
  try {
    (void)teslasim::workload_from_text("fuzz.launch.toml", {reinterpret_cast<const char*>(data), size}, module);
  } catch (const teslasim::InputError&) {
    // A refused file is a good answer.
  }
  return 0;
}
