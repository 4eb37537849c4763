// SPDX-License-Identifier: Apache-2.0
// A kernel of PTX, compiled and run on 256 threads.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "frontend/compiler/compile.h"
#include "frontend/ptx/ptx_reader.h"
#include "frontend/workload/device/launch_image.h"
#include "memory/image/device_memory.h"
#include "sim/model/functional_model.h"

namespace teslasim::compiled {

inline constexpr std::size_t threads = 256;
using Words = std::vector<std::uint64_t>;

/// 64 bits of a and b for each thread, 64 bits back.
struct CompiledRun {
  CompiledRun(const std::string& text, const compiler::CompileOptions& options)
      : module(std::make_shared<const Module>(
            compiler::compile_ptx(ptx::read_checked_ptx(text, "k.ptx"), "k.ptx", options, text).module)) {
    LaunchSpec spec;
    spec.module = module;
    spec.kernel = module->kernels.front().name;
    std::vector<Address> variables;
    for (const DeviceVariable& variable : module->variables) {
      spec.variables.push_back(variables.size());
      variables.push_back(memory.allocate(variable.name, "u8", variable.bytes));
      std::copy(variable.contents.begin(), variable.contents.end(),
                reinterpret_cast<std::uint8_t*>(memory.at(variables.back())));
    }
    launch.kernel = &module->kernels.front();
    launch.module = module.get();
    launch.memory = &memory;
    launch.machine_sm = module->sm;
    launch.shared_bytes = launch.kernel->shared_bytes;
    launch.constant_banks = constant_banks(spec, variables);
    launch.block = {threads, 1, 1};
    launch.grid = {1, 1, 1};
  }

  Words operator()(const Words& a, const Words& b) {
    const Address first = memory.allocate("a", "u64", 8 * threads), second = memory.allocate("b", "u64", 8 * threads);
    const Address result = memory.allocate("r", "u64", 8 * threads);
    std::memcpy(memory.at(first), a.data(), 8 * threads);
    std::memcpy(memory.at(second), b.data(), 8 * threads);
    launch.parameters.resize(24);
    std::size_t at = 0;
    for (const Address address : {first, second, result}) std::memcpy(launch.parameters.data() + 8 * at++, &address, 4);
    const LaunchOutcome outcome = run_functional(launch, FunctionalOptions{}, RunControl{});
    EXPECT_EQ(outcome.statistics.status, RunStatus::ok);
    Words words(threads);
    std::memcpy(words.data(), memory.at(result), 8 * threads);
    return words;
  }

  std::shared_ptr<const Module> module;
  DeviceMemory memory;
  Launch launch;
};

/// The body reads %a and %b (64 bits) and %t, the number of the thread, and writes %r; names of its own are declared in
/// it.
inline std::string kernel_with(const std::string& body, const std::string& shared = "") {
  return ".version 3.2\n.target sm_20\n.address_size 64\n" + shared + R"(
.visible .entry k(.param .u64 k_0, .param .u64 k_1, .param .u64 k_2)
{
  .reg .u64 %at, %from, %a, %b, %r;
  .reg .u32 %t;
  mov.u32 %t, %tid.x;
  mul.wide.u32 %at, %t, 8;
  ld.param.u64 %from, [k_0];
  add.u64 %from, %from, %at;
  ld.global.u64 %a, [%from];
  ld.param.u64 %from, [k_1];
  add.u64 %from, %from, %at;
  ld.global.u64 %b, [%from];
  mov.u64 %r, 0;
)" + body +
         R"(
  ld.param.u64 %from, [k_2];
  add.u64 %from, %from, %at;
  st.global.u64 [%from], %r;
  ret;
}
)";
}

/// Numbers of all sizes, with the corners.
inline Words numbers(unsigned seed) {
  std::mt19937_64 random(seed);
  constexpr std::uint64_t corners[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, ~0ULL, 1ULL << 63};
  Words words;
  for (std::size_t i = 0; i < threads; ++i) {
    const std::uint64_t word = random();
    words.push_back(i % 8 == 0 ? corners[word % std::size(corners)] : word >> (random() % 64));
  }
  return words;
}

using Reference = std::function<std::uint64_t(std::uint64_t, std::uint64_t)>;

/// The body computes `reference` of %a and %b for numbers of all sizes, at -O0 and -O3.
inline void expect_computes(const std::string& body, const Reference& reference, std::uint8_t sm = 10,
                            unsigned rounds = 20) {
  for (const unsigned optimization : {0U, 3U}) {
    compiler::CompileOptions options;
    options.sm = sm;
    options.optimization = optimization;
    CompiledRun run(kernel_with(body), options);
    for (unsigned seed = 1; seed <= rounds; ++seed) {
      const Words a = numbers(seed), b = numbers(1000 + seed);
      const Words results = run(a, b);
      for (std::size_t i = 0; i < threads; ++i)
        ASSERT_EQ(results[i], reference(a[i], b[i]))
            << body << "\na " << a[i] << ", b " << b[i] << ", -O" << optimization;
    }
  }
}

}  // namespace teslasim::compiled
