// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/source_places.h"

#include <gtest/gtest.h>

namespace teslasim::cuda {
namespace {

constexpr const char* ptx =
    ".version 3.2\n"                         // 1
    ".visible .entry k(\n"                   // 2
    ")\n"                                    // 3
    "{\n"                                    // 4
    "\t.loc\t1 2 0     // k.cu:2:0\n"        // 5
    "\tmov.u32 %r1, 0;\n"                    // 6
    "\t.loc\t2 66 3    // other.h\n"         // 7
    "\tmov.u32 %r2, 0;\n"                    // 8
    "\t.loc\t1 0 7     // k.cu:0:7\n"        // 9
    "\tmov.u32 %r3, 0;\n"                    // 10
    "\t.loc\t1 3 9\n"                        // 11
    "\tmov.u32 %r4, 0;\n"                    // 12
    "}\n"                                    // 13
    ".visible .entry l()\n"                  // 14
    "{\n"                                    // 15
    "\tret;\n"                               // 16
    "}\n"                                    // 17
    "\t.file\t1 \"/home/me\" \"k.cu\"\n"     // 18
    "\t.file\t2 \"/home/me\" \"other.h\"\n"  // 19
    ;
constexpr const char* source = "// first\n__global__ void k() {\n  third;\n}\n";

/// "line:column excerpt" of a message about a line of the PTX.
std::string translated(std::uint32_t line) {
  const SourcePlaces places(ptx, "k.cu", "/home/me/k.cu", source);
  Diagnostic one;
  one.where = {"x.ptx", line, 5, 1};
  one.excerpt = "ptx";
  places.translate(one);
  EXPECT_EQ(one.where.file, "k.cu");
  return std::to_string(one.where.line) + ":" + std::to_string(one.where.column) + " " + one.excerpt;
}

TEST(SourcePlaces, are_those_of_the_last_loc_of_the_file) {
  EXPECT_EQ(translated(6), "2:1 __global__ void k() {");
  EXPECT_EQ(translated(8), "2:1 __global__ void k() {") << "what comes from a header belongs to the line that uses it";
  EXPECT_EQ(translated(10), "2:1 __global__ void k() {") << "line 0 is no line";
  EXPECT_EQ(translated(12), "3:9   third;");
}

TEST(SourcePlaces, of_a_head_are_those_of_its_function) {
  EXPECT_EQ(translated(2), "2:1 __global__ void k() {");
  EXPECT_EQ(translated(3), "2:1 __global__ void k() {");
}

TEST(SourcePlaces, do_not_reach_into_the_next_function) {
  EXPECT_EQ(translated(16), "0:0 ");
  EXPECT_EQ(translated(1), "0:0 ");
}

TEST(SourcePlaces, of_variables_are_where_they_are_declared) {
  const SourcePlaces places(
      ptx, "k.cu", "/home/me/k.cu",
      "// float table[3];\nint tables[2], stable, other = table;\n  __constant__ float *table [9];\n");
  Diagnostic one;
  one.where = {"x.ptx", 1, 5, 1};
  one.message = "'_ZN1m5tableE' has 80000 bytes";
  places.translate(one);
  EXPECT_EQ(one.message, "'m::table' has 80000 bytes");
  EXPECT_EQ(one.where.line, 3U);
  EXPECT_EQ(one.where.column, 23U);
  one.where = {"x.ptx", 1, 5, 1};
  one.message = "'nowhere' has 80000 bytes";
  places.translate(one);
  EXPECT_EQ(one.where.line, 0U);
}

TEST(SourcePlaces, of_a_kernel_in_a_header_are_there) {
  constexpr const char* in_header =
      ".visible .entry k()\n{\n"            // 1
      "\t.loc\t2 66 3\n"                    // 3
      "\tmov.u32 %r1, 0;\n"                 // 4
      "\t.loc\t3 9 1\n"                     // 5
      "\tmov.u32 %r2, 0;\n}\n"              // 6
      "\t.file\t1 \"/home/me\" \"k.cu\"\n"  // 8
      "\t.file\t2 \"/home/me\" \"kernels.h\"\n"
      "\t.file\t3 \"/home/me\" \"called.h\"\n";
  const SourcePlaces places(in_header, "k.cu", "/home/me/k.cu", source);
  for (const std::uint32_t line : {4U, 6U}) {
    Diagnostic one;
    one.where = {"x.ptx", line, 5, 1};
    places.translate(one);
    EXPECT_EQ(one.where.file, "/home/me/kernels.h");
    EXPECT_EQ(one.where.line, 66U);
    EXPECT_EQ(one.where.column, 3U);
    EXPECT_EQ(one.excerpt, "");
  }
}

TEST(SourcePlaces, of_messages_without_a_place_stay) {
  const SourcePlaces places(ptx, "k.cu", "/home/me/k.cu", source);
  Diagnostic one;
  one.where.file = "anything";
  places.translate(one);
  EXPECT_EQ(one.where.file, "anything");
}

}  // namespace
}  // namespace teslasim::cuda
