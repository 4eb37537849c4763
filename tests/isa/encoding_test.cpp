// SPDX-License-Identifier: Apache-2.0
// Laws of the binary form: what decodes encodes to the same words, lengths, levels of the instruction set, reasons.
#include "isa/encoding/encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "isa/encoding/encoding_table.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Instruction decoded(std::uint32_t first, std::uint32_t second, std::uint8_t sm = highest_sm) {
  const auto instruction = decode(first, second, sm);
  EXPECT_TRUE(instruction.has_value()) << std::hex << first << ' ' << second;
  return instruction.value_or(Instruction{});
}

void expect_round_trip(std::uint32_t first, std::uint32_t second, std::uint8_t sm) {
  const auto instruction = decode(first, second, sm);
  if (!instruction) return;
  const Encoding encoding = encode(*instruction, sm);
  RC_ASSERT(encoding.words.has_value());
  RC_ASSERT(encoding.words->first == first);
  RC_ASSERT(encoding.words->second == (encoded_bytes(first) == 4 ? 0 : second));
}

TEST(Encoding, TheLowestBitTellsTheLength) {
  EXPECT_EQ(encoded_bytes(0x1100e804), 4);
  EXPECT_EQ(encoded_bytes(0x90000002), 4);
  EXPECT_EQ(encoded_bytes(0x1000c805), 8);
  EXPECT_EQ(encoded_bytes(0x861ffe03), 8);
}

RC_GTEST_PROP(Encoding, ArbitraryWordsRoundTripWheneverTheyDecode, (std::uint32_t first, std::uint32_t second)) {
  for (std::uint8_t sm = lowest_sm; sm <= highest_sm; ++sm) expect_round_trip(first, second, sm);
}

/// Random words that are instances of every row in turn, so that no row escapes by improbability.
RC_GTEST_PROP(Encoding, InstancesOfEveryRowRoundTrip, (std::uint64_t noise)) {
  std::size_t found = 0;
  for (const EncodingRow& row : encoding_rows()) {
    const std::uint64_t word = (noise & ~row.fixed.mask) | row.fixed.value;
    const auto first = static_cast<std::uint32_t>(word);
    const auto second = static_cast<std::uint32_t>(word >> 32U);
    expect_round_trip(first, second, highest_sm);
    if (decode(first, second, highest_sm)) ++found;
  }
  RC_ASSERT(found > 0);
}

RC_GTEST_PROP(Encoding, ALaterLevelKnowsEverythingThatAnEarlierOneKnows, (std::uint32_t first, std::uint32_t second)) {
  const std::uint8_t level = first_sm_that_decodes(first, second);
  for (std::uint8_t sm = lowest_sm; sm <= highest_sm; ++sm)
    RC_ASSERT(decode(first, second, sm).has_value() == (level != 0 && sm >= level));
}

TEST(Encoding, EveryOperationHasARow) {
  for (unsigned i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const auto rows = encoding_rows();
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const EncodingRow& row) { return row.opcode == opcode; }))
        << info(opcode).name;
  }
}

TEST(Encoding, RowsDoNotShadowEachOther) {
  // Two rows of one form may match the same words only where a field of the earlier one refuses (locking loads).
  const auto rows = encoding_rows();
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = a + 1; b < rows.size(); ++b) {
      if (rows[a].form != rows[b].form || rows[a].opcode == rows[b].opcode) continue;
      const std::uint64_t common = rows[a].fixed.mask & rows[b].fixed.mask;
      EXPECT_NE(rows[a].fixed.value & common, rows[b].fixed.value & common)
          << info(rows[a].opcode).name << " and " << info(rows[b].opcode).name;
    }
  }
}

TEST(Encoding, OperationsAppearWithTheirLevel) {
  EXPECT_EQ(first_sm_that_decodes(0xd00e0201, 0x80c00780), 10) << "load from global memory";
  EXPECT_EQ(first_sm_that_decodes(0x1000100d, 0x40004780), 11) << "long load from shared memory";
  EXPECT_EQ(first_sm_that_decodes(0xd702020d, 0xe0c00780), 11) << "atomic addition";
  EXPECT_EQ(first_sm_that_decodes(0xd7080211, 0xe0800780), 12) << "64-bit atomic addition";
  EXPECT_EQ(first_sm_that_decodes(0x10000401, 0x600002d0), 12) << "vote";
  EXPECT_EQ(first_sm_that_decodes(0xe0000c11, 0x60028780), 13) << "f64 addition";
  EXPECT_EQ(first_sm_that_decodes(0xa0000211, 0xc4400780), 13) << "f64 from f32";
  EXPECT_EQ(first_sm_that_decodes(0xc0000001, 0xc0000780), 0) << "means nothing anywhere";
}

TEST(Encoding, SaturationOfProductsIsIgnoredBeforeSm12) {
  constexpr std::uint32_t first = 0xc002020d;
  constexpr std::uint32_t second = 0x00100780;
  EXPECT_FALSE(decoded(first, second, 11).saturate);
  EXPECT_TRUE(decoded(first, second, 12).saturate);
  EXPECT_EQ(encode(decoded(first, second, 11), 11).words->second, second) << "the ignored bit is kept";
}

TEST(Encoding, BitsWithoutEffectAreKept) {
  const Instruction mad = decoded(0xe0010205, 0x00408780);  // a rounding mode that mad does not have
  EXPECT_EQ(mad.opcode, Opcode::fmad);
  EXPECT_EQ(mad.rounding, Rounding::nearest);
  EXPECT_EQ(mad.unused_bits, std::uint64_t{0x00400000} << 32U);
  Instruction clean = mad;
  clean.unused_bits = 0;
  EXPECT_TRUE(equivalent(mad, clean)) << "they do not make another instruction";
  EXPECT_EQ(encode(clean).words->second, 0x00008780U);
}

TEST(Encoding, ConditionFieldOfNopIsNotACondition) {
  const Instruction nop = decoded(0xf0000001, 0xe0000002);
  EXPECT_TRUE(nop.join);
  EXPECT_EQ(nop.condition, condition_always);
  EXPECT_EQ(nop.unused_bits, 0U) << "compilers leave the field at never";
}

TEST(Encoding, BitTwentyTwoOfShortFormsIsNotARegisterBit) {
  const Instruction sub = decoded(0x20428810, 0);
  EXPECT_EQ(sub.opcode, Opcode::sub);
  EXPECT_EQ(sub.source[1].index, 2);
}

TEST(Encoding, PostIncrementOffsetsAreSigned) {
  const Instruction load = decoded(0xa6003e09, 0x08218780);
  EXPECT_TRUE(load.source[0].post_increment);
  EXPECT_EQ(load.source[0].offset, -1);
}

TEST(Encoding, ReasonsNameTheObstacle) {
  Instruction add = decoded(0x2000020d, 0x04010780);
  EXPECT_THAT(encode(add).problem, IsEmpty());

  Instruction far = decoded(0x2100c80d, 0x04210780);
  far.source[0].offset = 0x80;
  EXPECT_THAT(encode(far).problem, HasSubstr("offset 128 does not fit"));

  Instruction both_marks = add;
  both_marks.join = both_marks.exit = true;
  EXPECT_THAT(encode(both_marks).problem, HasSubstr("both .join and .end"));

  Instruction predicated_short = decoded(0x2003880c, 0);
  predicated_short.condition = 5;
  EXPECT_THAT(encode(predicated_short).problem, HasSubstr("cannot be predicated"));

  Instruction high_register = decoded(0x2003880c, 0);
  high_register.destination[0].index = 64;
  EXPECT_THAT(encode(high_register).problem, HasSubstr("$r64 does not fit"));

  Instruction odd_pair = decoded(0xe0000c11, 0x60028780);
  odd_pair.destination[0].index = 5;
  EXPECT_THAT(encode(odd_pair).problem, HasSubstr("$r5 is not a multiple of 2"));

  Instruction doubled = add;
  doubled.opcode = Opcode::dadd;
  EXPECT_THAT(encode(doubled, 12).problem, HasSubstr("from sm_13 on"));

  Instruction rounded = decoded(0xe002020d, 0x04010780);
  rounded.rounding = Rounding::zero;
  EXPECT_FALSE(encode(rounded).words.has_value()) << "mad f32 has no rounding field; nothing is lost silently";
}

}  // namespace
}  // namespace teslasim
