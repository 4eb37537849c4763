// SPDX-License-Identifier: Apache-2.0
#include "sim/nvcc/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sim/base/diagnostic.h"
#include "sim/base/temporary_folder.h"

namespace teslasim::nvcc {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> mistakes(const std::vector<std::string>& words) {
  try {
    (void)read_command_line(words);
  } catch (const InputError& error) {
    std::vector<std::string> codes;
    for (const Diagnostic& one : error.diagnostics()) codes.push_back(one.code);
    return codes;
  }
  return {};
}

TEST(NvccCommandLine, a_program_of_several_files) {
  const Request request = read_command_line({"a.cu", "b.cpp", "c.c", "d.o", "-o", "program", "-lm", "-lcudart"});
  EXPECT_EQ(request.action, Action::link);
  ASSERT_EQ(request.inputs.size(), 4U);
  EXPECT_EQ(request.inputs[0].kind, Input::Kind::cuda);
  EXPECT_EQ(request.inputs[1].kind, Input::Kind::cpp);
  EXPECT_EQ(request.inputs[2].kind, Input::Kind::c);
  EXPECT_EQ(request.inputs[3].kind, Input::Kind::object);
  EXPECT_EQ(request.output, "program");
  EXPECT_THAT(request.link_words, ElementsAre("d.o", "-lm"));
  EXPECT_THAT(request.levels, ElementsAre(13));
}

TEST(NvccCommandLine, the_host_side_preprocessed_goes_to_stdout_or_to_a_file) {
  const Request shown = read_command_line({"-E", "a.cu"});
  EXPECT_EQ(shown.action, Action::preprocess);
  EXPECT_FALSE(shown.to_file);
  const Request kept = read_command_line({"-cuda", "a.cu"});
  EXPECT_EQ(kept.action, Action::preprocess);
  EXPECT_TRUE(kept.to_file);
}

TEST(NvccCommandLine, levels_in_all_spellings) {
  EXPECT_THAT(read_command_line({"a.cu", "-arch=sm_11"}).levels, ElementsAre(11));
  EXPECT_THAT(read_command_line({"a.cu", "-arch", "compute_12"}).levels, ElementsAre(12));
  EXPECT_THAT(read_command_line({"a.cu", "--gpu-name", "sm_13"}).levels, ElementsAre(13));
  EXPECT_THAT(read_command_line({"a.cu", "-gencode", "arch=compute_10,code=sm_10",
                                 "-gencode=arch=compute_13,code=\"sm_13,compute_13\""})
                  .levels,
              ElementsAre(10, 13));
}

TEST(NvccCommandLine, newer_levels_become_the_highest_with_a_word_about_it) {
  const Request request = read_command_line({"a.cu", "-arch=sm_20"});
  EXPECT_THAT(request.levels, ElementsAre(13));
  EXPECT_EQ(request.notices.size(), 1U);
}

TEST(NvccCommandLine, macros_and_folders_are_for_both_sides) {
  const Request request = read_command_line({"a.cu", "-DN=4", "-D", "M", "-Ix", "-I", "y", "-UZ"});
  EXPECT_THAT(request.device.definitions, ElementsAre("N=4", "M"));
  EXPECT_THAT(request.device.include_folders, ElementsAre("x", "y"));
  EXPECT_THAT(request.device.removed, ElementsAre("Z"));
  for (const char* word : {"-DN=4", "-DM", "-Ix", "-Iy", "-UZ"}) EXPECT_THAT(request.host_words, Contains(word));
}

TEST(NvccCommandLine, words_for_other_programs) {
  const Request request = read_command_line({"a.cu", "-Xcompiler", "-Wall,-fopenmp", "--compiler-options=-O3",
                                             "--ptxas-options=-v", "-Xlinker", "-z,now", "-ccbin", "g++-12"});
  EXPECT_THAT(request.host_words, Contains("-Wall"));
  EXPECT_THAT(request.host_words, Contains("-O3"));
  EXPECT_THAT(request.host_words, Not(Contains("-O2")));
  EXPECT_THAT(request.link_words, Contains("-fopenmp"));
  EXPECT_TRUE(request.resource_usage);
  EXPECT_EQ(request.host_compiler, "g++-12");
}

TEST(NvccCommandLine, the_compiler_of_the_device_gets_its_words) {
  const Request request = read_command_line({"a.cu", "-maxrregcount=16", "-use_fast_math", "-fmad=false", "-G", "-g"});
  EXPECT_EQ(request.device.code.maximum_registers, 16U);
  EXPECT_TRUE(request.device.code.fast_math);
  EXPECT_FALSE(request.device.code.contract);
  EXPECT_THAT(request.host_words, ElementsAre("-g"));
}

TEST(NvccCommandLine, what_is_not_here_is_said) {
  EXPECT_THAT(mistakes({"a.cu", "-dc"}), ElementsAre("CUDA-UNSUPPORTED"));
  EXPECT_THAT(mistakes({"a.cu", "-rdc=true"}), ElementsAre("CUDA-UNSUPPORTED"));
  EXPECT_THAT(mistakes({"a.cu", "-rdc=false"}), IsEmpty());
  EXPECT_THAT(mistakes({"a.cu", "-m32"}), ElementsAre("CUDA-UNSUPPORTED"));
  EXPECT_THAT(mistakes({"a.cu", "-m64"}), IsEmpty());
  EXPECT_THAT(mistakes({"a.cu", "-lcublas", "-deviceemu"}), ElementsAre("CUDA-UNSUPPORTED", "CUDA-UNSUPPORTED"));
}

TEST(NvccCommandLine, mistakes_come_all_at_once) {
  EXPECT_THAT(mistakes({"-nonsense", "-maxrregcount", "many", "-arch", "fast", "-o"}),
              ElementsAre("CLI-OPTION", "CLI-VALUE", "CLI-VALUE", "CLI-VALUE", "CLI-VALUE"));
  EXPECT_THAT(mistakes({"a.cu", "b.cu", "-c", "-o", "x.o"}), ElementsAre("CLI-VALUE"));
}

TEST(NvccCommandLine, headers_folders_and_the_language_hold_for_both_sides) {
  const Request request = read_command_line(
      {"a.cu", "-include", "first.h", "-std=c++17", "-isystem", "others", "-Xcompiler", "-DINNER=2,-Imine,-UOUTER"});
  EXPECT_THAT(request.device.first_headers, ElementsAre("first.h"));
  EXPECT_EQ(request.device.standard, "c++17");
  EXPECT_THAT(request.device.include_folders, ElementsAre("others", "mine"));
  EXPECT_THAT(request.device.definitions, ElementsAre("INNER=2"));
  EXPECT_THAT(request.device.removed, ElementsAre("OUTER"));
  for (const char* word : {"-include", "first.h", "-std=c++17", "-isystem", "others", "-DINNER=2", "-Imine", "-UOUTER"})
    EXPECT_THAT(request.host_words, Contains(word));
}

TEST(NvccCommandLine, quotes_within_lists_are_taken_away) {
  const Request request = read_command_line({"a.cu", "-Xcompiler", ",\"-g\",\"-DTWO=1,2\",-DTEXT=\\\"a\\\""});
  for (const char* word : {"-g", "-DTWO=1,2", "-DTEXT=\\\"a\\\""}) EXPECT_THAT(request.host_words, Contains(word));
}

TEST(NvccCommandLine, standards_of_c_are_for_files_in_c) {
  const Request request = read_command_line({"a.cu", "b.c", "-Xcompiler", "-std=c99"});
  EXPECT_EQ(request.device.standard, "");
  EXPECT_THAT(request.host_words, Contains("-std=c99"));
  const Request old = read_command_line({"a.cu", "-std=c++98"});
  EXPECT_THAT(old.host_words, Not(Contains("-std=c++98")));
  EXPECT_THAT(old.notices, ElementsAre("-std=c++98: compiled as gnu++14"));
}

TEST(NvccCommandLine, old_words_that_change_nothing_are_taken) {
  const Request request = read_command_line({"a.cu", "-Xopencc", "-OPT:Olimit=0", "-Xcudafe", "--diag_suppress=1",
                                             "-Werror", "cross-execution-space-call", "-time", "times.csv", "-noprof",
                                             "-po", "word", "-src-in-ptx", "-host-compilation", "C++"});
  EXPECT_EQ(request.inputs.size(), 1U);
  EXPECT_THAT(request.notices, IsEmpty());
  EXPECT_EQ(read_command_line({"a.cu", "-G0"}).notices.size(), 1U);
  EXPECT_EQ(read_command_line({"a.cu", "-host-compilation=C"}).notices.size(), 1U);
  EXPECT_EQ(read_command_line({"a.cu", "-multicore"}).notices.size(), 1U);
}

TEST(NvccCommandLine, what_is_kept_written_run_or_removed) {
  const Request request = read_command_line(
      {"a.cu", "-save-temps", "-keep-dir", "kept", "-odir", "objects", "-run", "-run-args", "1,2", "-clean", "-w"});
  EXPECT_TRUE(request.keeps && request.runs && request.cleans);
  EXPECT_FALSE(request.warns);
  EXPECT_EQ(request.keep_folder, "kept");
  EXPECT_EQ(request.folder, "objects");
  EXPECT_THAT(request.run_words, ElementsAre("1", "2"));
  EXPECT_THAT(request.host_words, Contains("-w"));
}

TEST(NvccCommandLine, archives_are_made_and_fat_binaries_are_not) {
  EXPECT_EQ(read_command_line({"a.cu", "b.cu", "-lib", "-o", "ab.a"}).action, Action::archive);
  EXPECT_THAT(mistakes({"a.cu", "-fatbin"}), ElementsAre("CUDA-UNSUPPORTED"));
}

TEST(NvccCommandLine, only_numbers_behind_m_are_the_machine) {
  const Request request = read_command_line({"a.cu", "-malign-double", "-msse2", "-m", "64"});
  EXPECT_THAT(request.host_words, Contains("-malign-double"));
  EXPECT_THAT(request.host_words, Contains("-msse2"));
  EXPECT_THAT(mistakes({"a.cu", "--machine=32"}), ElementsAre("CUDA-UNSUPPORTED"));
}

TEST(NvccCommandLine, registers_may_be_a_word_for_the_assembler) {
  EXPECT_EQ(read_command_line({"a.cu", "-Xptxas", "-v,-maxrregcount=16"}).device.code.maximum_registers, 16U);
  EXPECT_EQ(read_command_line({"a.cu", "-Xptxas=--maxrregcount,20"}).device.code.maximum_registers, 20U);
  EXPECT_THAT(mistakes({"a.cu", "-Xptxas", "-maxrregcount=x"}), ElementsAre("CLI-VALUE"));
}

TEST(NvccCommandLine, gprof_is_for_the_host) {
  const Request request = read_command_line({"a.cu", "-pg"});
  EXPECT_THAT(request.host_words, Contains("-pg"));
  EXPECT_THAT(request.link_words, Contains("-pg"));
}

TEST(NvccCommandLine, libraries_of_the_samples_are_in_the_headers) {
  for (const char* start : {"cutil", "shrutil"}) {
    for (const char* rest : {"", "_x86_64", "_i386", "64", "32", "D", "_x86_64D", "64D"})
      EXPECT_THAT(read_command_line({"a.cu", std::string("-l") + start + rest}).link_words, IsEmpty()) << start << rest;
  }
  EXPECT_THAT(read_command_line({"a.cu", "-lcutils", "-lD"}).link_words, ElementsAre("-lcutils", "-lD"));
}

TEST(NvccCommandLine, words_may_stand_in_a_file) {
  const TemporaryFolder folder("nvcc-test");
  const std::string file = folder.file("words"), circle = folder.file("circle");
  std::ofstream(file) << "-arch sm_11\n  -DTEXT=\"two words\"\n";
  std::ofstream(circle) << "-optf " << circle << "\n";
  const Request request = read_command_line({"a.cu", "-optf", file});
  EXPECT_THAT(request.levels, ElementsAre(11));
  EXPECT_THAT(request.device.definitions, ElementsAre("TEXT=two words"));
  EXPECT_THAT(mistakes({"a.cu", "-optf", folder.file("nothing")}), ElementsAre("CLI-VALUE"));
  EXPECT_THAT(mistakes({"a.cu", "-optf", circle}), ElementsAre("CLI-VALUE"));
}

}  // namespace
}  // namespace teslasim::nvcc
