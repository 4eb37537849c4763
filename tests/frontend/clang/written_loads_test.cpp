// SPDX-License-Identifier: Apache-2.0
// Datasheet of loads that llc must not make narrower.
#include "frontend/clang/written_loads.h"

#include <gtest/gtest.h>

#include <string>

namespace teslasim::cuda {
namespace {

std::string loading_function(const std::string& body) {
  return "define void @kernel(i32* %p) {\nentry:\n" + body + "  ret void\n}\n";
}
std::string word_load(const std::string& type) {
  return "  %3 = load " + type + ", " + type + "* %p, align 4, !dbg !12\n";
}

TEST(WrittenLoads, AWordOfWhichAPartIsNeededGoesThroughAMove) {
  const std::string use = "  %4 = lshr i32 %3, 16, !dbg !13\n";
  EXPECT_EQ(with_written_loads(loading_function(word_load("i32") + use)),
            loading_function("  %teslasim.loaded0 = load i32, i32* %p, align 4, !dbg !12\n"
                             "  %3 = call i32 asm \"mov.b32 $0, $1;\", \"=r,r\"(i32 %teslasim.loaded0), !dbg !12\n" +
                             use));
}

TEST(WrittenLoads, OfEveryWidthAndCut) {
  for (const std::string operation : {"and", "trunc", "lshr", "ashr", "shl"}) {
    for (const std::string type : {"i16", "i32", "i64"}) {
      const std::string code = loading_function(word_load(type) + "  %4 = " + operation + " " + type + " %3, 8\n");
      EXPECT_NE(with_written_loads(code), code) << operation << ' ' << type;
    }
  }
}

TEST(WrittenLoads, WhatIsNeededWholeOrTwiceStays) {
  for (const std::string use : {"  %4 = add i32 %3, 1\n", "  store i32 %3, i32* %p, align 4\n",
                                "  %4 = and i32 %3, 255\n  %5 = lshr i32 %3, 24\n", ""}) {
    const std::string code = loading_function(word_load("i32") + use);
    EXPECT_EQ(with_written_loads(code), code);
  }
}

TEST(WrittenLoads, OtherTypesAndVolatileLoadsStay) {
  for (const std::string line : {"  %3 = load i8, i8* %p, align 1\n", "  %3 = load volatile i32, i32* %p, align 4\n"}) {
    const std::string code = loading_function(line + "  %4 = and i32 %3, 15\n");
    EXPECT_EQ(with_written_loads(code), code);
  }
}

TEST(WrittenLoads, ANameIsNotTheStartOfAnother) {
  const std::string code = loading_function(word_load("i32") + "  %4 = and i32 %3, 15\n  %5 = add i32 %31, %3.x\n");
  EXPECT_NE(with_written_loads(code), code);
}

TEST(WrittenLoads, NamesInQuotesStay) {
  const std::string code =
      loading_function("  %\"x\\C3\" = load i32, i32* %p, align 4\n  %4 = and i32 %\"x\\C3\", 15\n");
  EXPECT_EQ(with_written_loads(code), code);
}

TEST(WrittenLoads, NamesAreOfOneFunction) {
  const std::string one = loading_function(word_load("i32") + "  %4 = and i32 %3, 15\n");
  const std::string both = with_written_loads(one + "\n" + one);
  EXPECT_NE(both.find("%teslasim.loaded0"), std::string::npos);
  EXPECT_NE(both.find("%teslasim.loaded1"), std::string::npos);
}

}  // namespace
}  // namespace teslasim::cuda
