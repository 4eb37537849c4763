// SPDX-License-Identifier: Apache-2.0
// Laws: what the disassembler prints, the assembler reads back; what can be encoded, the codec agrees on.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "frontend/text/assembler.h"
#include "isa/disassembler.h"
#include "isa/encoding/encoding.h"
#include "isa/forms.h"
#include "tests/frontend/text/random_instruction.h"
#include "tests/frontend/text/support.h"

namespace teslasim {
namespace {

constexpr int instructions_per_form = 200;

/// Every operation in every form it has.
template <typename Check>
void for_all_forms(Check check) {
  std::mt19937_64 random(1);
  for (unsigned opcode = 0; opcode < opcode_count; ++opcode) {
    for (const Form form : {Form::long_form, Form::short_form, Form::immediate_form, Form::control_form}) {
      if (!has_form(static_cast<Opcode>(opcode), form)) continue;
      for (int n = 0; n < instructions_per_form && !::testing::Test::HasFatalFailure(); ++n)
        check(test::random_instruction(random, static_cast<Opcode>(opcode), form));
    }
  }
}

TEST(TextRoundTrip, every_operation_in_every_form_is_read_back) {
  for_all_forms([](const Instruction& original) {
    const std::string text = to_text(original);
    ASSERT_EQ(test::line_error(text), "") << text;
    const Instruction read = test::instruction(text);
    ASSERT_TRUE(equivalent(original, read)) << text << "\n" << to_text(read);
    ASSERT_EQ(original.reads, read.reads) << text;
    ASSERT_EQ(original.writes, read.writes) << text;
  });
}

TEST(TextRoundTrip, every_accepted_instruction_has_words_that_decode_to_it) {
  for_all_forms([](const Instruction& original) {
    const Encoding encoding = encode(original);
    ASSERT_TRUE(encoding.words) << to_text(original) << ": " << encoding.problem;
    const auto decoded = decode(encoding.words->first, encoding.words->second, highest_sm);
    ASSERT_TRUE(decoded) << to_text(original);
    ASSERT_TRUE(equivalent(original, *decoded)) << to_text(original) << "\n" << to_text(*decoded);
  });
}

RC_GTEST_PROP(TextRoundTrip, random_instructions, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const Instruction original = test::random_instruction(random);
  const std::string text = to_text(original);
  RC_ASSERT(test::line_error(text) == "");
  RC_ASSERT(equivalent(original, test::instruction(text)));
  RC_ASSERT(to_text(test::instruction(text)) == text);
}

/// Whole kernels with branches, labels, pairs of short instructions.
Kernel random_kernel(std::mt19937_64& random) {
  Kernel kernel;
  kernel.name = "random";
  std::uint32_t address = 0;
  const auto append = [&](Instruction instruction) {
    instruction.pc = address;
    address += instruction.bytes;
    kernel.code.push_back(instruction);
  };
  for (std::uint64_t n = 1 + random() % 40; n > 0; --n) {
    const Instruction instruction = test::random_instruction(random);
    append(instruction);
    if (instruction.bytes == 4) append(instruction);
  }
  append(test::instruction("return"));
  for (Instruction& instruction : kernel.code) {
    if (has_target(instruction.opcode)) instruction.branch().target = kernel.code[random() % kernel.code.size()].pc;
  }
  kernel.registers = all_registers;
  kernel.shared_bytes = 64;
  kernel.local_bytes = 16;
  kernel.barriers = 16;
  finish_kernel(kernel);
  return kernel;
}

RC_GTEST_PROP(TextRoundTrip, random_kernels_through_a_listing, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  Module module;
  module.sm = 13;
  module.kernels.push_back(random_kernel(random));
  const Module read = assemble_text(listing(module), "listing.asm");
  const Kernel& before = module.kernels[0];
  const Kernel& after = read.kernels.at(0);
  RC_ASSERT(before.code.size() == after.code.size());
  for (std::size_t i = 0; i < before.code.size(); ++i) {
    RC_ASSERT(equivalent(before.code[i], after.code[i]));
    RC_ASSERT(before.code[i].pc == after.code[i].pc);
    if (has_target(before.code[i].opcode))
      RC_ASSERT(before.code[i].branch().target_index == after.code[i].branch().target_index);
  }
  RC_ASSERT(before.registers == after.registers);
  RC_ASSERT(before.shared_bytes == after.shared_bytes);
  RC_ASSERT(before.local_bytes == after.local_bytes);
  RC_ASSERT(before.barriers == after.barriers);
}

}  // namespace
}  // namespace teslasim
