// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/nvcc_words.h"

#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"

namespace teslasim::cuda {
namespace {

using Words = std::vector<std::string>;

TEST(NvccWords, get_the_dash_that_they_lack) {
  EXPECT_EQ(with_two_dashes({"-arch", "sm_11", "-maxrregcount=16", "-use_fast_math", "-O2", "-o", "k", "--ptx", "-"}),
            (Words{"--arch", "sm_11", "--maxrregcount=16", "--use_fast_math", "-O2", "-o", "k", "--ptx", "-"}));
}

TEST(NvccWords, choose) {
  const CudaOptions all =
      options_of_words("-DTILE=16 -D NAME -UX -I a -Ib/c -O1 -maxrregcount 16 -use_fast_math -fmad=false", "--compile");
  EXPECT_EQ(all.definitions, (Words{"TILE=16", "NAME"}));
  EXPECT_EQ(all.removed, (Words{"X"}));
  EXPECT_EQ(all.include_folders, (Words{"a", "b/c"}));
  EXPECT_EQ(all.code.optimization, 1U);
  EXPECT_EQ(all.code.maximum_registers, 16U);
  EXPECT_TRUE(all.code.fast_math);
  EXPECT_FALSE(all.code.contract);
}

TEST(NvccWords, choose_the_level_of_the_code) {
  EXPECT_EQ(options_of_words("", "--compile").code.sm, 13);
  EXPECT_EQ(options_of_words("-arch=sm_10", "--compile").code.sm, 10);
  EXPECT_EQ(options_of_words("--arch compute_12", "--compile").code.sm, 12);
  for (const char* words : {"-arch=sm_20", "-arch sm_9", "-arch=gt200", "-arch"})
    EXPECT_THROW((void)options_of_words(words, "--compile"), InputError) << words;
}

TEST(NvccWords, come_over_what_was_chosen_before) {
  CudaOptions start = options_of_words("-DA=1 -DC -UD -O0 -maxrregcount=20", "compile");
  const CudaOptions all = options_of_words("-DB -maxrregcount 10 -DA=2 -UC -DD", "--compile", start);
  EXPECT_EQ(all.definitions, (Words{"B", "A=2", "D"}));
  EXPECT_EQ(all.removed, (Words{"C"}));
  EXPECT_EQ(all.code.optimization, 0U);
  EXPECT_EQ(all.code.maximum_registers, 10U);
}

TEST(NvccWords, that_are_none_are_refused) {
  for (const char* words : {"-q", "file.cu", "-maxrregcount", "-maxrregcount 200", "-maxrregcount ten", "-O4", "-O",
                            "-fmad=maybe", "-D", "-gencode"}) {
    EXPECT_THROW((void)options_of_words(words, "--compile"), InputError) << words;
  }
}

}  // namespace
}  // namespace teslasim::cuda
