// SPDX-License-Identifier: Apache-2.0
// The decoder and encoder against every known instruction word: real code of NVIDIA's compiler (the decuda test cubins)
// and one row per instruction form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encoding_corpus.h"
#include "encoding_envydis_text.h"
#include "isa/encoding/encoding.h"

namespace teslasim {
namespace {

constexpr std::uint8_t corpus_sm = 10;
constexpr std::size_t corpus_size = 4039;

void expect_known_meaning(const std::vector<KnownWords>& rows, std::uint8_t sm) {
  for (const KnownWords& row : rows) {
    const auto instruction = decode(row.first, row.second, sm);
    ASSERT_TRUE(instruction.has_value()) << row.place;
    EXPECT_EQ(envydis_text(*instruction), row.envydis) << row.place;
  }
}

void expect_same_words(const std::vector<KnownWords>& rows, std::uint8_t sm) {
  for (const KnownWords& row : rows) {
    const auto instruction = decode(row.first, row.second, sm);
    ASSERT_TRUE(instruction.has_value()) << row.place;
    const Encoding encoding = encode(*instruction, sm);
    ASSERT_TRUE(encoding.words.has_value()) << row.place << encoding.problem;
    EXPECT_EQ(encoding.words->first, row.first) << row.place;
    EXPECT_EQ(encoding.words->second, row.second) << row.place;
    EXPECT_EQ(encoding.words->bytes, encoded_bytes(row.first)) << row.place;
  }
}

class DecudaCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (rows.empty()) GTEST_SKIP() << "../shared/cubins/decuda is absent";
  }
  std::vector<KnownWords> rows = decuda_corpus();
};

class InstructionForms : public ::testing::Test {
 protected:
  void SetUp() override {
    if (rows.empty()) GTEST_SKIP() << "../shared/cubins/synthetic.tsv is absent";
  }
  std::vector<KnownWords> rows = instruction_forms();
};

TEST_F(DecudaCorpus, EveryInstructionMeansWhatEnvydisSays) {
  EXPECT_EQ(rows.size(), corpus_size);
  expect_known_meaning(rows, corpus_sm);
}

TEST_F(DecudaCorpus, EveryInstructionEncodesToItsWords) {
  expect_same_words(rows, corpus_sm);
}

TEST_F(DecudaCorpus, OnlyFourInstructionsHaveUnusualBits) {
  std::vector<std::string> unusual;
  for (const KnownWords& row : rows) {
    const auto instruction = decode(row.first, row.second, corpus_sm);
    if (instruction && instruction->unused_bits != 0) unusual.push_back(row.place);
  }
  // Three mads with a rounding mode that the hardware ignores and a call with a condition field that it ignores.
  EXPECT_THAT(unusual, ::testing::SizeIs(4)) << ::testing::PrintToString(unusual);
}

TEST_F(InstructionForms, EachMeansWhatEnvydisSays) {
  expect_known_meaning(rows, highest_sm);
}

TEST_F(InstructionForms, EachEncodesToItsWords) {
  expect_same_words(rows, highest_sm);
}

}  // namespace
}  // namespace teslasim
