// SPDX-License-Identifier: Apache-2.0
#include "sim/base/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace teslasim {
namespace {

using ::testing::ElementsAre;

TEST(Csv, only_awkward_fields_are_quoted) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_row({"1", "", "x,y"}), "1,,\"x,y\"\n");
}

TEST(Csv, what_is_no_text_becomes_visible) {
  EXPECT_EQ(csv_field("a\x1b[1m\xff"), "a␛[1m\ufffd");
  EXPECT_EQ(csv_field("grün\t1"), "grün\t1");
}

TEST(CsvTable, reads_quoted_fields) {
  const CsvTable table = CsvTable::parse("a,b\n\"x,\"\"y\"\"\",2\n3\n");
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.text(0, "a"), "x,\"y\"");
  EXPECT_EQ(table.number(0, "b"), 2.0);
  EXPECT_EQ(table.text(1, "b"), "");
  EXPECT_EQ(table.text(1, "c"), "");
}

TEST(CsvTable, holds_what_its_file_does) {
  CsvTable table({"a", "b"});
  table.add({"x,\"y\"", "2"});
  table.add({"\x1b"});
  EXPECT_EQ(table.csv(), "a,b\n\"x,\"\"y\"\"\",2\n␛,\n");
  EXPECT_EQ(table.text(1, "a"), "␛");
  EXPECT_EQ(CsvTable::parse(table.csv()).csv(), table.csv());
}

TEST(CsvRecord, cells_say_where_they_stand) {
  const CsvRecord record = read_csv_record("ab,\"c,\"\"d\"\"\",\nnext");
  ASSERT_EQ(record.cells.size(), 3U);
  EXPECT_EQ(record.cells[1].text, "c,\"d\"");
  EXPECT_EQ(record.cells[1].begin, 3U);
  EXPECT_EQ(record.cells[1].length, 9U);
  EXPECT_EQ(record.cells[2].text, "");
  EXPECT_EQ(record.length, 14U);
  EXPECT_TRUE(record.closed);
}

TEST(CsvRecord, a_quote_without_its_second_takes_the_rest) {
  const CsvRecord record = read_csv_record("a,\"b,c\nd");
  EXPECT_EQ(record.cells.size(), 2U);
  EXPECT_FALSE(record.closed);
  EXPECT_EQ(record.length, 8U);
}

TEST(CsvRecord, ends_of_text_are_ends_of_cells) {
  EXPECT_THAT(csv_fields(""), ElementsAre(""));
  EXPECT_THAT(csv_fields(","), ElementsAre("", ""));
  EXPECT_THAT(csv_fields("a,\r\n"), ElementsAre("a", ""));
}

RC_GTEST_PROP(CsvRecord, what_is_written_is_read, ()) {
  const auto cell = rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', ' '));
  const auto fields = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(cell));
  const std::string row = csv_row(fields);
  RC_ASSERT(csv_fields(row) == fields);
  RC_ASSERT(read_csv_record(row).length == row.size());
}

}  // namespace
}  // namespace teslasim
