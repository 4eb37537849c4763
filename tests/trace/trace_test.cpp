// SPDX-License-Identifier: Apache-2.0
// Laws of the trace format: what is written is what is read, and damage is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <random>

#include "sim/base/diagnostic.h"
#include "sim/trace/instruction_record.h"
#include "sim/trace/trace_file.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Ten instructions without meaning.
Kernel kernel() {
  Kernel kernel;
  kernel.name = "k";
  kernel.code.resize(10);
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) kernel.code[i].pc = 8 * i;
  finish_kernel(kernel);
  return kernel;
}

/// An access of `lanes`: all the same address, a stride, or any addresses.
AddressRecord random_access(std::mt19937_64& random, LaneMask lanes) {
  AddressRecord record;
  record.lanes = lanes;
  if (lanes == 0) return record;
  record.bytes = static_cast<std::uint8_t>(1U << random() % 5);
  const auto base = static_cast<std::uint32_t>(random());
  const auto stride = static_cast<std::uint32_t>(random() % 5 * 4 - 8);
  const bool any = random() % 3 == 0;
  for (unsigned lane = 0; lane < warp_size; ++lane)
    record.address[lane] = any ? static_cast<std::uint32_t>(random()) : base + stride * lane;
  return record;
}

InstructionRecord random_record(std::mt19937_64& random) {
  InstructionRecord record;
  record.index = static_cast<std::uint32_t>(random() % 10);
  record.active = random() % 2 == 0 ? all_lanes : static_cast<LaneMask>(random());
  record.executed = random() % 2 == 0 ? record.active : record.active & static_cast<LaneMask>(random());
  record.divergent = random() % 8 == 0;
  record.finished = random() % 8 == 0;
  const auto lanes = [&]() -> LaneMask {
    if (random() % 3 == 0) return static_cast<LaneMask>(random());
    return random() % 2 == 0 ? record.executed : 0;
  };
  record.shared = random_access(random, lanes());
  record.constant = random_access(random, lanes());
  record.memory = random_access(random, lanes());
  record.memory_kind = static_cast<std::uint8_t>(random() % 4);
  record.memory_space = static_cast<std::uint8_t>(random() % 3);
  if (record.memory_space == texture_space && record.memory.lanes != 0) {
    record.texture.texels = static_cast<std::uint8_t>(1U << random() % 4);
    record.texture.inside = random() % 2 == 0 ? record.memory.lanes : static_cast<LaneMask>(random());
    for (auto& further : record.texture.further) further = random_access(random, all_lanes).address;
  }
  return record;
}

void expect_same(const AddressRecord& left, const AddressRecord& right) {
  RC_ASSERT(left.lanes == right.lanes);
  if (left.lanes == 0) return;
  RC_ASSERT(left.bytes == right.bytes);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((left.lanes >> lane & 1U) != 0) RC_ASSERT(left.address[lane] == right.address[lane]);
  }
}

void expect_same_texels(const InstructionRecord& left, const InstructionRecord& right) {
  RC_ASSERT(left.texture.texels == right.texture.texels);
  RC_ASSERT(left.texture.inside == right.texture.inside);
  for (unsigned i = 0; i + 1 < left.texture.texels; ++i) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if ((left.memory.lanes >> lane & 1U) != 0)
        RC_ASSERT(left.texture.further[i][lane] == right.texture.further[i][lane]);
    }
  }
}

RC_GTEST_PROP(Segment, reads_back_what_was_written, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const Kernel code = kernel();
  std::vector<InstructionRecord> records(random() % 40 + 1);
  SegmentEncoder encoder(code);
  for (InstructionRecord& record : records) {
    record = random_record(random);
    encoder.add(record);
  }
  SegmentDecoder decoder(code);
  decoder.open(std::string(encoder.bytes()), encoder.instructions());
  for (const InstructionRecord& record : records) {
    InstructionRecord read;
    decoder.next(read);
    RC_ASSERT(read.index == record.index);
    RC_ASSERT(read.active == record.active);
    RC_ASSERT(read.executed == record.executed);
    RC_ASSERT(read.divergent == record.divergent);
    RC_ASSERT(read.finished == record.finished);
    expect_same(record.shared, read.shared);
    expect_same(record.constant, read.constant);
    expect_same(record.memory, read.memory);
    if (record.memory.lanes == 0) continue;
    RC_ASSERT(read.memory_kind == record.memory_kind);
    RC_ASSERT(read.memory_space == record.memory_space);
    if (record.memory_space == texture_space) expect_same_texels(record, read);
  }
  RC_ASSERT(decoder.at_end());
}

RC_GTEST_PROP(Segment, any_bytes_are_read_or_refused, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const Kernel code = kernel();
  std::string bytes(random() % 200, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  SegmentDecoder decoder(code);
  decoder.open(bytes, 50);
  InstructionRecord record;
  try {
    while (!decoder.at_end()) decoder.next(record);
  } catch (const TraceDamage&) {
    return;
  }
}

class TraceFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove(path);
    TraceHeader header;
    header.name = "k";
    header.launches = {{"k", {2, 1, 1}, {64, 1, 1}, 32, 8}};
    header.sampled = {"blocks 0-399"};
    TraceWriter writer(path, header);
    SegmentEncoder encoder(code);
    std::mt19937_64 random(1);
    for (std::uint64_t block = 0; block < 400; ++block) {
      for (std::uint32_t warp = 0; warp < 2; ++warp) {
        encoder.clear();
        for (int i = 0; i < 20; ++i) encoder.add(random_record(random));
        writer.add({0, block, warp, static_cast<std::uint32_t>(block % 3)}, encoder.bytes(), encoder.instructions());
      }
    }
    writer.set_ordered_loads({{{3, 1, 2}, {7, 0, 5}}});
    writer.finish();
    written = writer.file_bytes();
  }
  void TearDown() override { std::filesystem::remove(path); }

  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void replace(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }

  const Kernel code = kernel();
  /// One file per test: CTest runs them side by side.
  const std::string path = std::string(TESLASIM_BINARY_DIR) + "/trace_" +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".wtrace";
  std::uint64_t written = 0;
};

TEST_F(TraceFile, has_every_segment_and_its_header) {
  TraceReader reader(path);
  EXPECT_FALSE(reader.truncated());
  EXPECT_EQ(reader.file_bytes(), written);
  EXPECT_EQ(reader.header().launches.at(0).block[0], 64U);
  EXPECT_THAT(reader.header().sampled, ElementsAre("blocks 0-399"));
  EXPECT_EQ(reader.segments().at(8).sm, 1U);
  ASSERT_TRUE(reader.ordered_loads());
  EXPECT_EQ(reader.ordered_loads()->at(0).at(1), (OrderedLoad{7, 0, 5}));
  EXPECT_GT(reader.chunks().size(), 1U);
  EXPECT_THAT(reader.segments(), SizeIs(800));
  EXPECT_THAT(reader.segments_of(0, 399, 1), SizeIs(1));
  EXPECT_THAT(reader.segments_of(0, 400, 0), IsEmpty());
  EXPECT_EQ(reader.bytes_of_segment(reader.segments()[17]).size(), reader.segments()[17].bytes);
}

TEST_F(TraceFile, without_its_end_is_read_up_to_the_last_complete_chunk) {
  const std::size_t all = TraceReader(path).chunks().size();
  const std::string whole = bytes();
  replace(whole.substr(0, whole.size() - 16));
  EXPECT_TRUE(TraceReader(path).truncated());
  EXPECT_EQ(TraceReader(path).chunks().size(), all);
  replace(whole.substr(0, TraceReader(path).chunks().back().offset + 30));
  EXPECT_EQ(TraceReader(path).chunks().size(), all - 1);
}

TEST_F(TraceFile, a_flipped_bit_anywhere_is_found_or_harmless) {
  const std::string whole = bytes();
  std::mt19937_64 random(2);
  unsigned found = 0;
  constexpr unsigned tries = 300;
  for (unsigned i = 0; i < tries; ++i) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] ^= static_cast<char>(1U << random() % 8);
    replace(damaged);
    try {
      TraceReader reader(path);
      for (std::uint32_t chunk = 0; chunk < reader.chunks().size(); ++chunk) (void)reader.chunk(chunk);
      if (reader.truncated()) ++found;
    } catch (const InputError& error) {
      EXPECT_EQ(error.exit_code(), ExitCode::input);
      ++found;
    }
  }
  EXPECT_GT(found, tries * 95 / 100) << "heads of chunks are stored twice: what only the scan reads may be damaged";
}

TEST_F(TraceFile, another_file_is_refused) {
  replace("not a trace");
  EXPECT_THROW(TraceReader{path}, InputError);
}

}  // namespace
}  // namespace teslasim
