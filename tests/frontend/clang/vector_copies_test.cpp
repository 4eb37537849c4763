// SPDX-License-Identifier: Apache-2.0
// Datasheet of copies of whole structures: the words that they move in.
#include "frontend/clang/vector_copies.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace teslasim::cuda {
namespace {

std::string copy_line(const std::string& bytes, const std::string& to_alignment, const std::string& from_alignment) {
  return "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* noundef nonnull align " + to_alignment +
         " dereferenceable(16) %to, i8* align " + from_alignment + " %from, i64 " + bytes +
         ", i1 false), !dbg !12, !tbaa.struct !13\n";
}

std::size_t count_of(const std::string& code, const std::string& text) {
  std::size_t found = 0;
  for (std::size_t at = code.find(text); at != std::string::npos; at = code.find(text, at + 1)) ++found;
  return found;
}

TEST(VectorCopies, SixteenAlignedBytesAreOneLoadAndOneStore) {
  EXPECT_EQ(with_vector_copies(copy_line("16", "16", "32")),
            "  %teslasim.byte0 = getelementptr inbounds i8, i8* %from, i64 0\n"
            "  %teslasim.part0 = bitcast i8* %teslasim.byte0 to <4 x i32>*\n"
            "  %teslasim.byte1 = getelementptr inbounds i8, i8* %to, i64 0\n"
            "  %teslasim.part1 = bitcast i8* %teslasim.byte1 to <4 x i32>*\n"
            "  %teslasim.words2 = load <4 x i32>, <4 x i32>* %teslasim.part0, align 16, !dbg !12\n"
            "  store <4 x i32> %teslasim.words2, <4 x i32>* %teslasim.part1, align 16, !dbg !12\n");
}

TEST(VectorCopies, WhatRemainsMovesInSmallerWords) {
  const std::string code = with_vector_copies(copy_line("28", "16", "16"));
  EXPECT_EQ(count_of(code, "load <4 x i32>"), 1U);
  EXPECT_EQ(count_of(code, "load <2 x i32>"), 1U);
  EXPECT_EQ(count_of(code, "load i32"), 1U);
  EXPECT_EQ(count_of(code, "i64 16\n"), 2U) << code;
  EXPECT_EQ(count_of(code, "i64 24\n"), 2U) << code;
}

TEST(VectorCopies, LittleThatIsAlignedToLessIsLeftToLlc) {
  for (const auto& [bytes, to, from] :
       {std::tuple{"16", "16", "8"}, {"16", "4", "16"}, {"8", "16", "16"}, {"12", "4", "4"}, {"18", "16", "16"}})
    EXPECT_EQ(with_vector_copies(copy_line(bytes, to, from)), copy_line(bytes, to, from));
}

TEST(VectorCopies, MuchMovesInWordsNotInBytes) {
  EXPECT_EQ(count_of(with_vector_copies(copy_line("160", "4", "4")), "load i32"), 40U);
  EXPECT_EQ(count_of(with_vector_copies(copy_line("160", "8", "8")), "load <2 x i32>"), 20U);
  EXPECT_EQ(with_vector_copies(copy_line("160", "1", "4")), copy_line("160", "1", "4"));
  EXPECT_EQ(with_vector_copies(copy_line("4096", "16", "16")), copy_line("4096", "16", "16"));
}

TEST(VectorCopies, AnyMemoryAndAnyExpression) {
  const std::string place =
      "i8 addrspace(3)* align 16 bitcast ([4 x %struct.float4] addrspace(3)* @tile to i8 addrspace(3)*)";
  const std::string code = with_vector_copies(
      "  tail call void @llvm.memcpy.p1i8.p3i8.i64(i8 addrspace(1)* align 16 %to, " + place + ", i64 16, i1 false)\n");
  EXPECT_EQ(count_of(code,
                     "getelementptr inbounds i8, i8 addrspace(3)* bitcast ([4 x %struct.float4] addrspace(3)* @tile "
                     "to i8 addrspace(3)*), i64 0\n"),
            1U)
      << code;
  EXPECT_EQ(count_of(code, "store <4 x i32> %teslasim.words2, <4 x i32> addrspace(1)* %teslasim.part1, align 16\n"),
            1U);
}

TEST(VectorCopies, AlignedNoughtsAreVectors) {
  const auto fill = [](const std::string& value) {
    return "  call void @llvm.memset.p0i8.i64(i8* align 16 %to, i8 " + value + ", i64 32, i1 false)\n";
  };
  EXPECT_EQ(count_of(with_vector_copies(fill("0")), "store <4 x i32> zeroinitializer"), 2U);
  EXPECT_EQ(with_vector_copies(fill("1")), fill("1"));
  EXPECT_EQ(with_vector_copies(fill("%value")), fill("%value"));
}

TEST(VectorCopies, WhatIsVolatileOrOfUnknownSizeStays) {
  for (const std::string end : {"i64 16, i1 true)\n", "i64 %size, i1 false)\n"}) {
    const std::string line = "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %to, i8* align 16 %from, " + end;
    EXPECT_EQ(with_vector_copies(line), line);
  }
}

}  // namespace
}  // namespace teslasim::cuda
