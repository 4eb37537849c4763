// SPDX-License-Identifier: Apache-2.0
// Variables that start with addresses, between clang and PTX.
#include "frontend/clang/address_tables.h"

#include <gmock/gmock.h>

namespace teslasim::cuda {
namespace {

using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* structures =
    "%struct.Node = type { i32, %struct.Node*, %struct.Node* }\n"
    "%\"class.two words\" = type <{ i8, float, [2 x i16] }>\n";

std::string declaration_of(const std::string& variable) {
  const DeclaredTables declared = with_declared_tables(structures + variable + "\n");
  return declared.tables.empty() ? "" : declared.tables.front().declaration;
}

TEST(AddressTables, ACopyOfATableOfAddressesBecomesAStore) {
  const std::string table = "[2 x i32*] [i32* addrspacecast (i32 addrspace(3)* @a to i32*), i32* null]";
  const std::string code = with_stored_tables(
      "@__const.k.p = private unnamed_addr constant " + table + ", align 8\n" +
      "  %1 = bitcast [2 x i32*]* %p to i8*\n"
      "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %1, i8* align 8 bitcast ([2 x i32*]* @__const.k.p to i8*), "
      "i64 16, i1 false), !dbg !7\n");
  EXPECT_THAT(code, HasSubstr("  %teslasim.table.0 = bitcast i8* %1 to [2 x i32*]*, !dbg !7\n  store " + table +
                              ", [2 x i32*]* %teslasim.table.0, align 8, !dbg !7\n"));
  EXPECT_THAT(code, Not(HasSubstr("call")));
}

TEST(AddressTables, CopiesOfNumbersStay) {
  const std::string code =
      "@__const.k.p = private unnamed_addr constant [2 x i32] [i32 1, i32 2], align 4\n"
      "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %1, i8* align 4 bitcast ([2 x i32]* @__const.k.p to i8*), "
      "i64 8, i1 false)\n";
  EXPECT_EQ(code, with_stored_tables(code));
}

TEST(AddressTables, AddressesAreSymbolsAndNumbersOfBytes) {
  EXPECT_EQ(
      ".visible .global .align 8 .u64 p[1] = {a+8};",
      declaration_of("@p = dso_local addrspace(1) externally_initialized global i32* getelementptr inbounds ([4 x "
                     "i32], [4 x i32]* addrspacecast ([4 x i32] addrspace(1)* @a to [4 x i32]*), i64 0, i64 2), "
                     "align 8"));
  EXPECT_EQ(".visible .const .align 8 .u64 p[2] = {a+16, 0};",
            declaration_of("@p = addrspace(4) global [2 x i32*] [i32* bitcast (i8* getelementptr (i8, i8* bitcast "
                           "(%struct.Node* getelementptr (%struct.Node, %struct.Node* @a, i32 0) to i8*), i64 16) to "
                           "i32*), i32* null], align 8"));
  EXPECT_EQ(".global .align 8 .u64 p[1] = {nodes+64};",
            declaration_of("@p = internal addrspace(1) global %struct.Node** getelementptr ([9 x %struct.Node], [9 x "
                           "%struct.Node]* @nodes, i64 0, i64 2, i32 2), align 8"));
}

TEST(AddressTables, NumbersBesideThemAreWords) {
  EXPECT_EQ(".visible .global .align 8 .u64 n[3] = {4294967295, m, 0};",
            declaration_of("@n = addrspace(1) global %struct.Node { i32 -1, %struct.Node* @m, %struct.Node* null }, "
                           "align 8"));
  EXPECT_EQ(".global .align 8 .u64 n[3] = {_$_str, 139911244021761, 562949953421312};",
            declaration_of("@n = internal addrspace(1) constant { i8*, <{ i8, float, [2 x i16] }>, i16, [4 x i8] } { "
                           "i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i32 0, i32 0), <{ i8, float, [2 x "
                           "i16] }> <{ i8 1, float 0x3FF4000000000000, [2 x i16] [i16 127, i16 0] }>, i16 0, [4 x i8] "
                           "c\"\\00\\00\\02\\00\" }, align 8"));
}

TEST(AddressTables, TwoThatLeadToEachOtherAreDeclaredOnly) {
  const DeclaredTables declared = with_declared_tables(
      std::string(structures) +
      "@a = addrspace(1) global i8* bitcast (i8** addrspacecast (i8* addrspace(1)* @b to i8**) to i8*), align 8\n"
      "@b = addrspace(1) global i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str, i32 0, i32 1), align 8\n"
      "@.str = private unnamed_addr constant [2 x i8] c\"x\\00\", align 1\n");
  ASSERT_THAT(declared.tables, SizeIs(2));
  EXPECT_THAT(declared.code, HasSubstr("@a = external addrspace(1) global i8*, align 8\n"));
  EXPECT_THAT(declared.code, HasSubstr("@.str = internal unnamed_addr constant")) << "llc leaves out what has no use";
  const std::string ptx = with_address_tables(
      ".extern .global .align 8 .u64 a;\n.extern .global .align 8 .b64 b[1];\n"
      ".extern .global .align 8 .u64 ab;\n",
      declared.tables);
  EXPECT_THAT(ptx, Eq(".visible .global .align 8 .u64 a[1] = {b};\n.visible .global .align 8 .u64 b[1] = {_$_str+1};\n"
                      ".extern .global .align 8 .u64 ab;\n"));
}

TEST(AddressTables, WhatIsNotKnownStaysAsItIs) {
  for (const char* line :
       {"@p = addrspace(1) global i64 sub (i64 ptrtoint (i8* @a to i64), i64 1), align 8",
        "@p = addrspace(1) global <{ i8, i8* }> <{ i8 1, i8* @a }>, align 8",
        "@p = addrspace(1) global [2 x i8*] [i8* @a, i8* @b", "@p.q = internal global i8* @a, align 8",
        "@llvm.used = appending global [1 x i8*] [i8* @a], section \"llvm.metadata\"",
        "@p = addrspace(1) global %opaque* @a"}) {
    const DeclaredTables declared = with_declared_tables(std::string(line) + "\n");
    if (std::string(line).ends_with("%opaque* @a")) {
      EXPECT_THAT(declared.tables, SizeIs(1)) << "a pointer has a size whatever it leads to";
      continue;
    }
    EXPECT_THAT(declared.tables, SizeIs(0)) << line;
    EXPECT_EQ(std::string(line) + "\n", declared.code);
  }
}

}  // namespace
}  // namespace teslasim::cuda
