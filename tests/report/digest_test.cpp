// SPDX-License-Identifier: Apache-2.0
#include "sim/report/digest.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

std::uint64_t digest_after(const std::function<void(LaunchStatistics&)>& change) {
  LaunchStatistics launch = test::sample_launch();
  change(launch);
  Digest digest;
  digest.add(launch);
  return digest.value();
}

const auto nothing = [](LaunchStatistics&) {};

TEST(Digest, same_counters_same_digest) {
  EXPECT_EQ(digest_after(nothing), digest_after(nothing));
}

TEST(Digest, is_the_same_on_every_host) {
  EXPECT_EQ(digest_after(nothing), 8085786210075456333ULL);
}

TEST(Digest, any_counter_changes_it) {
  const std::uint64_t reference = digest_after(nothing);
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.shader_cycles += 1; }));
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.sms[1].slots.counts[3] += 1; }));
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.pcs[2].shared.degree[16] += 1; }));
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.pcs[1].blamed[0].first += 8; }));
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.partitions[0].busy_cycles += 1; }));
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.textures.held_back_cycles += 1; }));
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.kernel = "coqy"; }));
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.status = RunStatus::limit; }));
}

TEST(Digest, one_bit_of_a_buffer_changes_it) {
  std::vector<std::byte> bytes(4096);
  Digest before, after;
  before.add("out", bytes);
  bytes[4095] = std::byte{1};
  after.add("out", bytes);
  EXPECT_NE(before.value(), after.value());
}

}  // namespace
}  // namespace teslasim
