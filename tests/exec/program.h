// SPDX-License-Identifier: Apache-2.0
// A small kernel from assembly text, run on an ExecutionStream without time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frontend/text/assembler.h"
#include "isa/program.h"
#include "memory/image/device_memory.h"
#include "sim/base/diagnostic.h"
#include "sim/exec/barrier.h"
#include "sim/exec/execution_stream.h"

namespace teslasim::exec_test {

/// One dynamic instruction, for tests that look at more than results.
struct Issued {
  std::uint32_t line = 0;  ///< of the body, from 1
  unsigned warp = 0;
  LaneMask active = 0, executed = 0;
  bool divergent = false, finished = false;
};

/// The body starts with $r1 = thread number (one-dimensional blocks) and $r2 = address of out[thread].
class Program {
 public:
  explicit Program(const std::string& body, const std::string& declarations = "") {
    const std::string head = ".arch sm_13\n.entry k {\n.param ptr out\n.param u32 p\n" + declarations +
                             "\nand.b32 $r1, $r0, 0xffff\nshl.u32 $r2, $r1, 2\nadd.u32 $r2, s[out], $r2\n";
    body_line_ = static_cast<std::uint32_t>(std::count(head.begin(), head.end(), '\n'));
    module_ = assemble_text(head + body + "\n}\n", "program.asm");
    launch.kernel = &module_.kernels.front();
    launch.module = &module_;
    launch.memory = &memory;
    launch.block = {32, 1, 1};
    launch.shared_bytes = launch.kernel->shared_bytes;
    put_constants(module_.constants);
    put_constants(launch.kernel->constants);
  }
  Program& block(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) {
    launch.block = {x, y, z};
    return *this;
  }
  Program& grid(std::uint32_t x, std::uint32_t y = 1) {
    launch.grid = {x, y, 1};
    return *this;
  }
  Program& parameter(std::uint32_t value) {
    parameter_ = value;
    return *this;
  }
  Program& words(std::uint64_t count) {
    out_words_ = count;
    return *this;
  }

  /// For what the assembler would refuse.
  Kernel& kernel() { return module_.kernels.front(); }

  /// Runs all blocks; returns out[].
  std::vector<std::uint32_t> run() {
    const Address out = memory.allocate("out", "u32", out_words_ * 4);
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &out, 4);
    std::memcpy(launch.parameters.data() + 4, &parameter_, 4);
    options.warp_slots = launch.warps_per_block();
    options.block_slots = 1;
    ExecutionStream stream(launch, options);
    for (std::uint64_t index = 0; index < launch.blocks(); ++index) run_block(stream, index);
    std::vector<std::uint32_t> result(out_words_);
    std::memcpy(result.data(), memory.at(out), out_words_ * 4);
    return result;
  }
  /// The kernel error of a run that must fail.
  Diagnostic fault() {
    try {
      run();
    } catch (const InputError& error) {
      EXPECT_EQ(error.exit_code(), ExitCode::kernel);
      return error.diagnostics().front();
    }
    ADD_FAILURE() << "no kernel error";
    return {};
  }
  /// How often, and with which lanes, the line of the body was issued.
  [[nodiscard]] std::vector<LaneMask> lanes_at(std::uint32_t line) const {
    std::vector<LaneMask> masks;
    for (const Issued& record : issued) {
      if (record.line == line) masks.push_back(record.executed);
    }
    return masks;
  }

  Launch launch;
  ExecutionStreamOptions options;
  DeviceMemory memory;
  std::vector<Issued> issued;
  std::function<void(const WarpInst&)> observer;
  std::function<void(const WarpInst&, const WarpValues&)> onlooker;  ///< also sees the values that are there then

 private:
  void put_constants(const std::vector<ConstantSegment>& segments) {
    for (const ConstantSegment& segment : segments) {
      auto& bank = launch.constant_banks[segment.bank];
      bank.resize(std::max<std::size_t>(bank.size(), segment.offset + segment.bytes.size()));
      std::memcpy(bank.data() + segment.offset, segment.bytes.data(), segment.bytes.size());
    }
  }

  void run_block(ExecutionStream& stream, std::uint64_t index) {
    stream.start_block(0, index, 0);
    BlockBarriers barriers;
    barriers.clear(launch.warps_per_block());
    LaneMask ready = (LaneMask{1} << launch.warps_per_block()) - 1;
    while (ready != 0) {
      const auto warp = static_cast<unsigned>(std::countr_zero(ready));
      ready &= ready - 1;
      ready |= run_warp(stream, barriers, warp);
    }
    stream.finish_block(0);
  }

  LaneMask run_warp(ExecutionStream& stream, BlockBarriers& barriers, unsigned warp) {
    WarpInst record;
    while (const Instruction* next = stream.next(warp)) {
      stream.issue(warp, issued.size(), record);
      EXPECT_EQ(record.instruction, next);
      issued.push_back(
          {next->source_line - body_line_, warp, record.active, record.executed, record.divergent, record.finished});
      if (observer) observer(record);
      if (onlooker) onlooker(record, stream.values(warp));
      if (next->opcode == Opcode::bar) {
        return barriers.execute(next->barrier().number, LaneMask{1} << warp, next->barrier().arrive,
                                next->barrier().wait, next->barrier().threads);
      }
    }
    return 0;
  }

  Module module_;
  std::uint32_t body_line_ = 0;
  std::uint32_t parameter_ = 0;
  std::uint64_t out_words_ = 1024;
};

}  // namespace teslasim::exec_test
