// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/digest.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/report/changed_member.h"
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
  EXPECT_EQ(digest_after(nothing), 15907629407678029922ULL);
}

TEST(Digest, has_the_counts_of_a_sample) {
  const auto digest_of = [](const BlockSample& sample) {
    Digest digest;
    digest.add(sample);
    return digest.value();
  };
  BlockSample other;
  other.function_warp_instructions = 1;
  EXPECT_EQ(digest_of({}), digest_of({}));
  EXPECT_NE(digest_of({}), digest_of(other));
}

TEST(Digest, every_member_of_the_tables_changes_it) {
  const std::uint64_t reference = digest_after(nothing);
  unsigned row = 0, outside = 0;
  for (bool more = true; more; ++row) {
    test::ChangedMember member;
    const std::uint64_t changed = digest_after([&](LaunchStatistics& launch) {
      const auto found = test::change_member(launch, row);
      more = found.has_value();
      member = found.value_or(member);
    });
    if (!more) break;
    EXPECT_EQ(changed != reference, member.in_digest) << member.name;
    if (!member.in_digest) ++outside;
  }
  EXPECT_GT(row, 100U);
  EXPECT_EQ(outside, 6U) << "banks of the launch and of SMs, times of blocks and of warps, series over time, busy ROPs";
}

TEST(Digest, words_and_who_is_blamed_change_it) {
  const std::uint64_t reference = digest_after(nothing);
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.kernel = "coqy"; }));
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.pcs[1].blamed[0].first += 8; }));
  EXPECT_NE(reference, digest_after([](LaunchStatistics& l) { l.sms[1].slots.counts[3] += 1; }));
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
