// SPDX-License-Identifier: Apache-2.0
// Damaged and random text: the assembler answers with a module or with errors that have a place, never anything else.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "frontend/text/assembler.h"
#include "isa/disassembler.h"
#include "isa/forms.h"
#include "sim/base/diagnostic.h"
#include "tests/frontend/text/random_instruction.h"

namespace teslasim {
namespace {

const char* const program =
    ".arch sm_13\n.equ N, 4*2\n.macro step r, s\n  add.u32 \\r, \\r, \\s\nl\\@: nop\n.endm\n.const c0 : u32 1, 2\n"
    ".entry k\n{\n.param u32 n\n.param ptr out\n.shared tile, 64, 16\n.alias sum, $r5\n.const taps c1[0] : f32 1.5, 2\n"
    "  mov.b32 $r1, %ctaid.x\n  join.label done\n.rept N, i\n  step sum, \\i\n  mov.b32 s[tile+4*i], sum\n.endr\n"
    "@$p0.ne bra.label done\n  mov.half.b32 $r1, $r2\n  mac.half.f32 $r1, $r2, $r3\n  set.lt.s32 $p0|$o127, s[n], $r1\n"
    "done: nop.join\n  tex.2d.b32.f32 {$r4,_,_,_}, $tex0, {$r4,$r5}\n  d.u32 0x1100e804, 0x1100e000\n"
    "  mov.u32 g[$r1], sum\n  return\n}\n";

void expect_orderly(const std::string& text) {
  try {
    const Module module = assemble_text(text, "mutant.asm");
    RC_ASSERT(!module.kernels.empty());
    for (const Kernel& kernel : module.kernels) {
      for (const Instruction& instruction : kernel.code) RC_ASSERT(!to_text(instruction, &kernel).empty());
    }
  } catch (const InputError& error) {
    RC_ASSERT(!error.diagnostics().empty());
    for (const Diagnostic& d : error.diagnostics()) {
      RC_ASSERT(d.where.line >= 1);
      RC_ASSERT(d.where.column >= 1);
      RC_ASSERT(d.where.length >= 1);
      RC_ASSERT(d.where.column + d.where.length <= std::max<std::size_t>(d.excerpt.size(), 1) + 2);
      RC_ASSERT(!d.message.empty());
      RC_ASSERT(d.message.back() != '.');
    }
  }
}

TEST(Mutation, the_undamaged_program_assembles) {
  EXPECT_NO_THROW((void)assemble_text(program, "program.asm"));
}

RC_GTEST_PROP(Mutation, random_characters, (const std::string& text)) {
  expect_orderly(text);
}

/// Removes, repeats, exchanges and replaces pieces of the program.
RC_GTEST_PROP(Mutation, damaged_programs, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  static const std::string letters = "$.,[]{}()|@!:\\+-*/%<>&^~#_ \t\nrpcgsl0129xfabu";
  for (int round = 0; round < 20; ++round) {
    std::string text = program;
    for (std::uint64_t n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % text.size();
      const std::size_t length = std::min<std::size_t>(1 + random() % 8, text.size() - at);
      const std::string piece = text.substr(random() % text.size(), length);
      switch (random() % 4) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, piece);
          break;
        case 2:
          text.replace(at, length, piece);
          break;
        default:
          text[at] = letters[random() % letters.size()];
          break;
      }
      if (text.empty()) text = " ";
    }
    expect_orderly(text);
  }
}

/// Whatever the assembler accepts can be encoded, and its text means the same.
RC_GTEST_PROP(Mutation, damaged_instructions, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20; ++round) {
    std::string text = to_text(test::random_instruction(random));
    const std::string other = to_text(test::random_instruction(random));
    const std::size_t at = random() % text.size();
    text.replace(at, random() % 4, other.substr(random() % other.size(), random() % 6));
    try {
      const Module module = assemble_text(".arch sm_13\n.entry k {\n.lmem 4\n" + text + "\nreturn\n}\n", "line.asm");
      const Instruction& first = module.kernels[0].code[0];
      RC_ASSERT(!encoding_problem(first));
      const Module again =
          assemble_text(".arch sm_13\n.entry k {\n.lmem 4\n" + to_text(first) + "\nreturn\n}\n", "line.asm");
      RC_ASSERT(equivalent(first, again.kernels[0].code[0]));
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace teslasim
