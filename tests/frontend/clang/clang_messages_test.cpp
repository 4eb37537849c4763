// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/clang_messages.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "sim/base/output_file.h"

namespace teslasim::cuda {
namespace {

using Severity = Diagnostic::Severity;

std::vector<Diagnostic> messages(const std::string& text) {
  return clang_diagnostics(text, {"k.cu", "/home/me/k.cu", "/headers/"});
}

TEST(ClangMessages, have_place_and_kind) {
  const auto all = messages(
      "/home/me/k.cu:3:7: error: use of undeclared identifier 'y'\n"
      "/home/me/k.cu:9:1: warning: unused variable 'z' [-Wunused-variable]\n"
      "/home/me/k.cu:12:2: fatal error: 'none.h' file not found\n"
      "2 errors generated when compiling for sm_20.\n");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].code, "CUDA-SOURCE");
  EXPECT_EQ(all[0].message, "use of undeclared identifier 'y'");
  EXPECT_EQ(all[0].where.file, "k.cu") << "as the user named it";
  EXPECT_EQ(all[0].where.line, 3U);
  EXPECT_EQ(all[0].where.column, 7U);
  EXPECT_EQ(all[1].severity, Severity::warning);
  EXPECT_EQ(all[1].code, "CUDA-WARNING");
  EXPECT_EQ(all[2].severity, Severity::error);
}

TEST(ClangMessages, keep_their_notes_but_places_in_the_programs_headers) {
  const auto all = messages(
      "/home/me/k.cu:4:3: error: no matching function for call to 'f'\n"
      "/headers/a.h:21:1: note: candidate function not viable\n"
      "/headers/a.h:16:1: note: expanded from macro 'M'\n"
      "/home/me/k.cu:1:1: note: declared here\n"
      "/home/me/other.h:2:1: note: and here\n"
      "/home/me/other.h:3:1: note: a fourth\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].notes, (std::vector<std::string>{"candidate function not viable", "k.cu:1: declared here",
                                                    "/home/me/other.h:2: and here"}));
}

TEST(ClangMessages, of_names_that_chips_have_not_say_what_to_do) {
  const auto all = messages(
      "/home/me/k.cu:4:3: error: use of undeclared identifier '__ldg'; did you mean '__log'?\n"
      "/usr/include/math.h:104:1: note: '__log' declared here\n"
      "/home/me/k.cu:4:9: error: cannot initialize a parameter of type 'double'\n"
      "/home/me/k.cu:7:3: error: no matching function for call to 'printf'\n"
      "/usr/include/stdio.h:356:1: note: candidate function not viable: call to __host__ function from __global__ "
      "function\n"
      "/home/me/k.cu:8:3: error: no matching function for call to 'mine'\n"
      "/home/me/k.cu:1:1: note: candidate function not viable: call to __host__ function from __device__ function\n"
      "/home/me/k.cu:9:3: error: no matching function for call to 'atomicAdd'\n"
      "/headers/a.h:2:1: note: candidate function not viable: no known conversion from 'float *' to 'int *' for 1st "
      "argument\n"
      "/home/me/k.cu:10:10: fatal error: 'cufft.h' file not found\n");
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0].message, "'__ldg' needs compute capability 3.5");
  EXPECT_TRUE(all[0].notes.empty());
  EXPECT_FALSE(all[0].help.empty());
  EXPECT_EQ(all[1].message, "'printf' needs compute capability 2.0");
  EXPECT_EQ(all[2].message, "no matching function for call to 'mine'");
  EXPECT_NE(all[2].help.find("__device__"), std::string::npos);
  EXPECT_EQ(all[2].notes.size(), 1U);
  EXPECT_EQ(all[3].message, "'atomicAdd' on float needs compute capability 2.0");
  EXPECT_NE(all[4].message.find("library"), std::string::npos);
}

TEST(ClangMessages, quote_the_line) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("teslasim_clang_messages_" + std::to_string(getpid()) + ".cu");
  write_file(file.string(), "first\n  second y\n");
  const auto all = clang_diagnostics(file.string() + ":2:10: error: no y\n", {"k.cu", file.string(), "/headers/"});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].excerpt, "  second y");
  std::filesystem::remove(file);
}

TEST(ClangMessages, without_a_place_belong_to_the_file) {
  const auto all = messages("clang: error: unsupported option '-x'\nerror: cannot find it\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].where.file, "k.cu");
  EXPECT_EQ(all[0].where.line, 0U);
  EXPECT_EQ(all[1].message, "cannot find it");
}

TEST(ClangMessages, of_a_refusal_have_an_error) {
  const MessageFiles files{"k.cu", "/home/me/k.cu", "/headers/"};
  const auto quoted = clang_errors("Segmentation fault\nStack dump:\n", files);
  ASSERT_EQ(quoted.size(), 1U);
  EXPECT_EQ(quoted[0].message, "clang says: Segmentation fault");
  EXPECT_EQ(clang_errors("/home/me/k.cu:1:1: warning: w\n", files).back().severity, Severity::error);
  EXPECT_EQ(clang_errors("/home/me/k.cu:1:1: error: e\n", files).size(), 1U);
  EXPECT_TRUE(messages("Segmentation fault\n").empty()) << "what did not hinder is no message";
}

}  // namespace
}  // namespace teslasim::cuda
