// SPDX-License-Identifier: Apache-2.0
// Addresses in s[], l[] and c[]: which are errors, where, and what becomes of offsets that operands cannot say.
#include "frontend/compiler/access_alignment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/frontend/compiler/instruction_sample.h"

namespace teslasim::compiler {
namespace {

/// `statement` stands in line 10.
std::string kernel_with(const std::string& statement) {
  return ".version 1.4\n.target sm_13\n.const .align 4 .b8 table[64];\n"
         ".entry k(.param .align 4 .b8 big[160], .param .u8 small, .param .u32 out)\n{\n"
         ".shared .align 4 .b8 tile[64]; .local .align 8 .b8 stack[64];\n"
         ".reg .u32 %a, %b, %to, %at;\nld.param.u32 %to, [out];\nmov.u32 %a, 0; mov.u32 %b, 0; mov.u32 %at, %to;\n" +
         statement + "\nst.global.v2.u32 [%to], {%a, %b};\nexit;\n}\n";
}

struct Access {
  const char* statement;
  std::uint32_t column;  ///< of the error; 0: none
};

void PrintTo(const Access& access, std::ostream* out) {
  *out << access.statement;
}

class KnownAddresses : public ::testing::TestWithParam<Access> {};

TEST_P(KnownAddresses, AreMultiplesOfTheAccess) {
  for (const unsigned optimization : {0U, 3U}) {
    const sample::Outcome outcome = sample::compile_text(kernel_with(GetParam().statement), 13, optimization);
    if (GetParam().column == 0) {
      EXPECT_EQ("", render(outcome.errors));
      continue;
    }
    ASSERT_EQ(1U, outcome.errors.size()) << render(outcome.errors);
    EXPECT_EQ("PTX-ALIGN", outcome.errors[0].code);
    EXPECT_EQ(10U, outcome.errors[0].where.line);
    EXPECT_EQ(GetParam().column, outcome.errors[0].where.column) << render(outcome.errors);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ptx, KnownAddresses,
    ::testing::Values(Access{"ld.param.u32 %a, [big+4];", 0}, Access{"ld.param.u32 %a, [big+2];", 18},
                      Access{"ld.param.u16 %a, [big+2];", 0}, Access{"ld.param.u16 %a, [big+1];", 18},
                      Access{"ld.param.u8 %a, [big+1];", 0}, Access{"ld.shared.u32 %a, [tile+2];", 19},
                      Access{"ld.shared.v2.u32 {%a, %b}, [tile+4];", 0}, Access{"st.shared.u16 [tile+3], %to;", 15},
                      Access{"ld.const.u32 %a, [table+6];", 18}, Access{"ld.local.v2.u32 {%a, %b}, [stack+8];", 0},
                      Access{"ld.local.v2.u32 {%a, %b}, [stack+4];", 27},
                      Access{"mov.u32 %at, tile; ld.shared.u16 %a, [%at+1];", 38},
                      Access{"and.b32 %at, %at, 0; ld.shared.u16 %a, [%at+1];", 1}));

/// All operands of s[] and l[] in the code.
std::vector<Operand> operands_of(const Module& module) {
  std::vector<Operand> found;
  for (const Instruction& i : module.kernels.at(0).code) {
    for (const Operand* operand : {&i.source[0], &i.store_target}) {
      if (operand->kind == Operand::Kind::shared || operand->kind == Operand::Kind::local) found.push_back(*operand);
    }
  }
  return found;
}

TEST(UnknownAddresses, MayBecomeWholeWithWhatIsAddedToThem) {
  const std::string statement =
      "ld.shared.u32 %a, [%at+2]; st.shared.u32 [%at+6], %a; ld.shared.u16 %b, [%at+41]; ld.shared.u32 %b, [%at+4094];";
  for (const std::uint8_t sm : {std::uint8_t{10}, std::uint8_t{13}}) {
    const sample::Outcome outcome = sample::compile_text(kernel_with(statement), sm);
    ASSERT_EQ("", render(outcome.errors));
    for (const Operand& operand : operands_of(outcome.module))
      EXPECT_EQ(0U, static_cast<unsigned>(operand.offset) % bytes_of(operand.type));
  }
}

TEST(FarParameters, AreReadThroughAddressRegistersBelowSm11) {
  const std::string statement = "ld.param.u32 %a, [big+156]; ld.param.u8 %b, [small];";
  const auto loads = [&](std::uint8_t sm) {
    const sample::Outcome outcome = sample::compile_text(kernel_with(statement), sm);
    EXPECT_EQ("", render(outcome.errors));
    const std::vector<Instruction>& code = outcome.module.kernels.at(0).code;
    return std::count_if(code.begin(), code.end(),
                         [](const Instruction& i) { return i.opcode == Opcode::load_shared; });
  };
  EXPECT_EQ(0, loads(10));
  EXPECT_EQ(3, loads(11)) << "the pointer too";
}

}  // namespace
}  // namespace teslasim::compiler
