// SPDX-License-Identifier: Apache-2.0
// Datasheet of loads of three members of four.
#include "frontend/clang/padded_loads.h"

#include <gtest/gtest.h>

#include <string>

namespace teslasim::cuda {
namespace {

const std::string four_floats = "%struct.float4 = type { float, float, float, float }\n";

std::string member_load(const std::string& number, const std::string& alignment, const std::string& space = "") {
  return "  %m" + number + " = getelementptr inbounds %struct.float4, %struct.float4" + space + "* %p, i64 %i, i32 " +
         number + ", !dbg !1\n  %v" + number + " = load float, float" + space + "* %m" + number + ", align " +
         alignment + ", !dbg !2\n";
}
std::string padded_kernel(const std::string& body) {
  return four_floats + "define void @kernel(%struct.float4* %p, i64 %i) {\nentry:\n" + body +
         "  br label %next, !dbg !3\n\nnext:\n  ret void\n}\n";
}

TEST(PaddedLoads, TheFourthMemberIsLoadedBehindThreeOthers) {
  const std::string three = member_load("0", "16") + member_load("1", "4") + member_load("2", "8");
  EXPECT_EQ(
      with_padded_loads(padded_kernel(three + "  %sum = fadd float %v0, %v2\n")),
      padded_kernel(three +
                    "  %teslasim.fourth0 = getelementptr inbounds %struct.float4, %struct.float4* %p, i64 %i, i32 3\n"
                    "  %teslasim.padding0 = load float, float* %teslasim.fourth0, align 4, !dbg !2\n"
                    "  %sum = fadd float %v0, %v2\n"
                    "  call void asm sideeffect \"\", \"f\"(float %teslasim.padding0), !dbg !2\n"));
}

TEST(PaddedLoads, ABlockMayEndWithATable) {
  const std::string three = member_load("0", "16") + member_load("1", "4") + member_load("2", "8");
  const std::string table = "  switch i32 %n, label %next [\n    i32 0, label %more\n  ], !dbg !3\n\nmore:\n";
  const std::string code = with_padded_loads(padded_kernel(three + table));
  EXPECT_NE(code.find("(float %teslasim.padding0), !dbg !2\n  switch i32 %n, label %next [\n    i32 0"),
            std::string::npos)
      << code;
}

TEST(PaddedLoads, TwoAndAllFourStay) {
  for (const std::string& body :
       {member_load("0", "16") + member_load("1", "4"), member_load("0", "16") + member_load("2", "8"),
        member_load("1", "4") + member_load("2", "8") + member_load("3", "4"),
        member_load("0", "16") + member_load("1", "4") + member_load("2", "8") + member_load("3", "4")})
    EXPECT_EQ(with_padded_loads(padded_kernel(body)), padded_kernel(body));
}

TEST(PaddedLoads, LessAlignedOnesStay) {
  const std::string three = member_load("0", "8") + member_load("1", "4") + member_load("2", "8");
  EXPECT_EQ(with_padded_loads(padded_kernel(three)), padded_kernel(three));
}

/// Accesses of shared memory take a word at a time.
TEST(PaddedLoads, OtherMemoryStays) {
  const std::string space = " addrspace(3)";
  const std::string three = member_load("0", "16", space) + member_load("1", "4", space) + member_load("2", "8", space);
  EXPECT_EQ(with_padded_loads(padded_kernel(three)), padded_kernel(three));
}

TEST(PaddedLoads, MembersOfTwoBlocksStay) {
  const std::string three =
      member_load("0", "16") + member_load("1", "4") + "  br label %more\n\nmore:\n" + member_load("2", "8");
  EXPECT_EQ(with_padded_loads(padded_kernel(three)), padded_kernel(three));
}

TEST(PaddedLoads, StructuresOfOtherMembersStay) {
  std::string code = padded_kernel(member_load("0", "16") + member_load("1", "4") + member_load("2", "8"));
  code.replace(code.find("float, float, float, float"), 26, "float, float, float, double");
  EXPECT_EQ(with_padded_loads(code), code);
}

}  // namespace
}  // namespace teslasim::cuda
