// SPDX-License-Identifier: Apache-2.0
#include "memory/dram/transaction_table.h"

#include <gtest/gtest.h>

#include <utility>

namespace teslasim {
namespace {

using Direction = TransactionTable::Direction;
constexpr std::uint16_t none = TransactionTable::none;

/// Two places for reads, three for writes, four banks.
class TransactionTableTest : public ::testing::Test {
 protected:
  bool push(Direction direction, std::uint8_t bank, std::uint32_t row, std::uint32_t open_row, MemoryCycle now = 0) {
    return table_.push(MemoryTransaction{}, {row, next_ticket_++, bank}, direction, open_row, now);
  }
  std::uint32_t oldest(Direction direction, unsigned bank) { return table_[table_.list(direction, bank).head].ticket; }
  std::uint32_t oldest_hit(Direction direction, unsigned bank) {
    return table_[table_.list(direction, bank).hit].ticket;
  }

  TransactionTable table_{{2, 3}};
  std::uint32_t next_ticket_ = 0;
};

TEST_F(TransactionTableTest, reads_and_writes_have_places_of_their_own) {
  push(Direction::read, 0, 1, DramChannel::no_row);
  push(Direction::read, 0, 1, DramChannel::no_row);
  EXPECT_FALSE(table_.has_room(Direction::read));
  EXPECT_TRUE(table_.has_room(Direction::write));
  EXPECT_EQ(table_.used(Direction::read), 2U);
  EXPECT_EQ(table_.used(Direction::write), 0U);
}

TEST_F(TransactionTableTest, a_list_is_in_order_of_arrival_and_knows_its_oldest_hit) {
  EXPECT_TRUE(push(Direction::write, 2, 7, 9)) << "the first is the head";
  EXPECT_TRUE(push(Direction::write, 2, 9, 9)) << "the first to the open row";
  EXPECT_FALSE(push(Direction::write, 2, 9, 9)) << "neither";
  EXPECT_EQ(oldest(Direction::write, 2), 0U);
  EXPECT_EQ(oldest_hit(Direction::write, 2), 1U);
  EXPECT_EQ(table_.list(Direction::write, 1).head, none);
  EXPECT_EQ(table_.list(Direction::read, 2).head, none);
}

TEST_F(TransactionTableTest, what_leaves_from_the_middle_leaves_the_order_of_the_others) {
  for (const std::uint32_t row : {7U, 9U, 9U}) push(Direction::write, 0, row, 9);
  table_.remove(Direction::write, table_.list(Direction::write, 0).hit, 0);
  EXPECT_EQ(oldest(Direction::write, 0), 0U);
  EXPECT_EQ(oldest_hit(Direction::write, 0), 2U);
  table_.remove(Direction::write, table_.list(Direction::write, 0).hit, 0);
  EXPECT_EQ(table_.list(Direction::write, 0).hit, none);
  EXPECT_TRUE(push(Direction::write, 0, 9, 9)) << "appended behind the head, and a hit again";
  EXPECT_EQ(oldest_hit(Direction::write, 0), 3U);
  EXPECT_EQ(oldest(Direction::write, 0), 0U);
}

TEST_F(TransactionTableTest, another_open_row_has_other_hits) {
  for (const std::uint32_t row : {7U, 9U, 7U}) push(Direction::write, 0, row, DramChannel::no_row);
  EXPECT_EQ(table_.list(Direction::write, 0).hit, none);
  table_.open_row(Direction::write, 0, 9);
  EXPECT_EQ(oldest_hit(Direction::write, 0), 1U);
  table_.open_row(Direction::write, 0, 7);
  EXPECT_EQ(oldest_hit(Direction::write, 0), 0U);
  table_.open_row(Direction::write, 0, DramChannel::no_row);
  EXPECT_EQ(table_.list(Direction::write, 0).hit, none);
}

TEST_F(TransactionTableTest, a_transaction_counts_a_piece_for_each_64_bytes_and_at_least_one) {
  TransactionTable table({2, 3}, 64);
  unsigned pieces = 0;
  for (const auto& [bytes, expected] : {std::pair<std::uint16_t, unsigned>{32, 1U}, {64, 2U}, {128, 4U}}) {
    MemoryTransaction transaction;
    transaction.bytes = bytes;
    table.push(transaction, {1, 0, 0}, Direction::write, DramChannel::no_row, 0);
    pieces = table.pieces(Direction::write);
    EXPECT_EQ(pieces, expected) << bytes << " bytes more";
  }
  EXPECT_EQ(table.pieces(Direction::read), 0U);
  table.remove(Direction::write, table.list(Direction::write, 0).head, 0);
  EXPECT_EQ(table.pieces(Direction::write), pieces - 1);
  table.reset();
  EXPECT_EQ(table.pieces(Direction::write), 0U);
}

TEST_F(TransactionTableTest, depth_is_summed_over_time) {
  push(Direction::read, 0, 1, DramChannel::no_row, 10);
  push(Direction::write, 0, 1, DramChannel::no_row, 14);                       // 4 cycles with one
  table_.remove(Direction::read, table_.list(Direction::read, 0).head, 20);    // 6 with two
  table_.remove(Direction::write, table_.list(Direction::write, 0).head, 21);  // 1 with one
  EXPECT_EQ(table_.depth_cycles(), 4U + 12U + 1U);
  EXPECT_EQ(table_.deepest(), 2U);
  EXPECT_TRUE(table_.empty());
  table_.reset();
  EXPECT_EQ(table_.depth_cycles(), 0U);
}

}  // namespace
}  // namespace teslasim
