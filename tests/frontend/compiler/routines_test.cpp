// SPDX-License-Identifier: Apache-2.0
// Datasheet of routines: a division is a call, its code stands once behind the kernel, and callers keep their
// registers.
#include "frontend/compiler/routines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "frontend/compiler/block_order.h"
#include "frontend/compiler/compile.h"
#include "frontend/compiler/interference.h"
#include "frontend/ptx/ptx_reader.h"
#include "tests/frontend/compiler/small_machine.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallMachine;

Kernel compiled_kernel(const std::string& body, unsigned optimization) {
  const std::string text =
      ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
      ".reg .u64 %at;\n.reg .u32 %a, %b, %c, %t;\n.reg .pred %p;\nmov.u32 %t, %tid.x;\nld.param.u32 %a, [n];\n" +
      body + "\nld.param.u64 %at, [out];\nst.global.u32 [%at], %c;\nret;\n}\n";
  CompileOptions options;
  options.optimization = optimization;
  return compile_ptx(ptx::read_checked_ptx(text, "k.ptx"), "k.ptx", options, text).module.kernels.front();
}

std::ptrdiff_t count(const Kernel& kernel, Opcode opcode) {
  return std::count_if(kernel.code.begin(), kernel.code.end(),
                       [opcode](const Instruction& one) { return one.opcode == opcode; });
}

TEST(Routines, AreKnownByNameAndNumber) {
  for (const char* name : {"quotient_u32", "quotient_s32", "remainder_u32", "remainder_s32"})
    EXPECT_EQ(routine_name(routine_number(name)), name);
}

TEST(Routines, TheirCodeStandsOncePerKernelAndKind) {
  for (const unsigned optimization : {0U, 3U}) {
    const Kernel two = compiled_kernel("div.u32 %b, %t, %a;\ndiv.u32 %c, %a, %b;", optimization);
    EXPECT_EQ(count(two, Opcode::call), 2) << optimization;
    EXPECT_EQ(count(two, Opcode::rcp), 1) << optimization;
    const Kernel kinds = compiled_kernel("div.u32 %b, %t, %a;\nrem.u32 %c, %t, %b;", optimization);
    EXPECT_EQ(count(kinds, Opcode::rcp), 2) << optimization;
    EXPECT_EQ(kinds.code.back().opcode, Opcode::ret);
  }
}

TEST(Routines, ACallIsNoCheapWayOfABranch) {
  const Kernel kernel =
      compiled_kernel("mov.u32 %c, 0;\nsetp.lt.u32 %p, %t, 16;\n@!%p bra DONE;\ndiv.u32 %c, %t, %a;\nDONE:", 3);
  EXPECT_GE(count(kernel, Opcode::bra), 1);
}

/// A kernel that keeps a value over a call, and a routine that writes a register of its own.
struct CallingMachine {
  SmallMachine machine{};
  VirtualRegister kept, scratch;
  MachineRoutine routine;

  CallingMachine() {
    kept = machine.load(machine.function.thread_index);
    routine = routine_of(machine.function, 0);
    MachineInstruction call;
    call.instruction.opcode = Opcode::call;
    call.instruction.form = Form::control_form;
    call.target = routine.block;
    for (std::size_t k = 0; k < 2; ++k) {
      machine.append(copy_of(routine.operand[k], kept));
      call.source[k] = RegisterTuple(routine.operand[k]);
    }
    call.result = RegisterTuple(routine.operand[0]);
    machine.append(call);
    machine.store(kept, routine.operand[0]);
    scratch = machine.general();
    machine.code(routine.block).push_back(copy_of(scratch, routine.operand[1]));
    machine.code(routine.block).push_back(copy_of(routine.operand[0], scratch));
  }
};

TEST(Routines, WhatIsLiveOverACallIsNotWhereTheRoutineWrites) {
  const CallingMachine calling;
  const Interference interference(calling.machine.function);
  EXPECT_TRUE(interference.between(calling.kept, calling.scratch));
  EXPECT_TRUE(interference.between(calling.kept, calling.routine.operand[0]));
  // The result comes from there, so that may be one register.
  EXPECT_FALSE(interference.between(calling.routine.operand[0], calling.scratch));
}

TEST(Routines, StandBehindTheKernel) {
  CallingMachine calling;
  EXPECT_EQ(block_order(calling.machine.function), (std::vector<BlockIndex>{0, calling.routine.block}));
  EXPECT_EQ(routine_of(calling.machine.function, 0).block, calling.routine.block);
}

}  // namespace
}  // namespace teslasim::compiler
