// SPDX-License-Identifier: Apache-2.0
// Datasheet of assignments of small structures: what they are copied as, and when.
#include "frontend/clang/whole_structures.h"

#include <gtest/gtest.h>

#include <string>

namespace teslasim::cuda {
namespace {

/// A function that copies between a variable of the thread, %c, and a place in memory, %p.
struct StructureCopy {
  std::string members, bytes, alignment = bytes;
  bool stores = false;  ///< %c to memory

  [[nodiscard]] std::string text() const {
    const std::string to = stores ? "%2" : "%1", from = stores ? "%1" : "%2";
    return "%struct.any = type { " + members +
           " }\n"
           "define void @kernel(%struct.any* %p) {\n"
           "  %c = alloca %struct.any, align " +
           alignment +
           "\n"
           "  %1 = bitcast %struct.any* %c to i8*, !dbg !1\n"
           "  %2 = bitcast %struct.any* %p to i8*, !dbg !1\n"
           "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align " +
           alignment + " " + to + ", i8* align " + alignment + " " + from + ", i64 " + bytes +
           ", i1 false), !dbg !7\n"
           "}\n";
  }
  /// The type of the one access that it becomes; "" when it stays.
  [[nodiscard]] std::string moved_as() const {
    const std::string code = with_whole_structures(text());
    if (code == text()) return "";
    const std::string load = "%teslasim.whole0 = load ";
    const std::size_t at = code.find(load) + load.size();
    return code.substr(at, code.find("* %teslasim.from0", at) - at);
  }
};

std::string loaded_once(const std::string& type) {
  return type + ", " + type;
}

TEST(WholeStructures, BytesAndShortWordsAreOneInteger) {
  for (const bool stores : {false, true}) {
    EXPECT_EQ((StructureCopy{"i8, i8, i8, i8", "4", "4", stores}.moved_as()), loaded_once("i32"));
    EXPECT_EQ((StructureCopy{"i16, i16", "4", "4", stores}.moved_as()), loaded_once("i32"));
    EXPECT_EQ((StructureCopy{"i8, i8", "2", "2", stores}.moved_as()), loaded_once("i16"));
    EXPECT_EQ((StructureCopy{"i16, i16, i16, i16", "8", "8", stores}.moved_as()), loaded_once("i64"));
  }
}

TEST(WholeStructures, WordsThatAreStoredAreAVector) {
  EXPECT_EQ((StructureCopy{"float, float, float, float", "16", "16", true}.moved_as()), loaded_once("<4 x float>"));
  EXPECT_EQ((StructureCopy{"float, float", "8", "8", true}.moved_as()), loaded_once("<2 x float>"));
  EXPECT_EQ((StructureCopy{"double, double", "16", "16", true}.moved_as()), loaded_once("<2 x double>"));
  EXPECT_EQ((StructureCopy{"float, float, i32, i32", "16", "16", true}.moved_as()), loaded_once("<4 x i32>"));
  EXPECT_EQ((StructureCopy{"i64, i32, i32", "16", "16", true}.moved_as()), loaded_once("<4 x i32>"));
}

TEST(WholeStructures, WordsThatAreLoadedAreNot) {
  EXPECT_EQ((StructureCopy{"float, float, float, float", "16", "16", false}.moved_as()), "");
}

TEST(WholeStructures, LessAlignedOnesStay) {
  EXPECT_EQ((StructureCopy{"i8, i8, i8, i8", "4", "1", true}.moved_as()), "");
  EXPECT_EQ((StructureCopy{"float, float", "8", "4", true}.moved_as()), "");
}

TEST(WholeStructures, OtherSizesAndMembersStay) {
  EXPECT_EQ((StructureCopy{"i8, i8, i8", "3", "4", true}.moved_as()), "");
  EXPECT_EQ((StructureCopy{"float, float, float", "12", "16", true}.moved_as()), "");
  EXPECT_EQ((StructureCopy{"[4 x float]", "16", "16", true}.moved_as()), "");
  EXPECT_EQ((StructureCopy{"i32", "4", "4", true}.moved_as()), "");
  EXPECT_EQ((StructureCopy{"i8, i32", "8", "8", true}.moved_as()), "") << "there is a gap in it";
  EXPECT_EQ((StructureCopy{"i16, i16, i32", "8", "8", true}.moved_as()), "");
  EXPECT_EQ((StructureCopy{"i8, i8, i8, i8", "8", "8", true}.moved_as()), "") << "more than one of them";
}

TEST(WholeStructures, TheAccessStandsWhereTheCopyStood) {
  const std::string code = with_whole_structures(StructureCopy{"i16, i16", "4", "4", true}.text());
  EXPECT_NE(code.find("  %teslasim.from0 = bitcast i8* %1 to i32*\n"
                      "  %teslasim.to0 = bitcast i8* %2 to i32*\n"
                      "  %teslasim.whole0 = load i32, i32* %teslasim.from0, align 4, !dbg !7\n"
                      "  store i32 %teslasim.whole0, i32* %teslasim.to0, align 4, !dbg !7\n"),
            std::string::npos)
      << code;
}

TEST(WholeStructures, NamesAreOfOneFunction) {
  const std::string first = StructureCopy{"i16, i16", "4", "4", true}.text();
  const std::string call = first.substr(first.find("  call"));
  const std::string second = "define void @other(i8* %1, i8* %2) {\n" + call;
  EXPECT_EQ(with_whole_structures(first + second).substr(with_whole_structures(first).size()), second);
}

}  // namespace
}  // namespace teslasim::cuda
