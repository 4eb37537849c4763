// SPDX-License-Identifier: Apache-2.0
// Datasheet of SQLite files: what is one, and what SQLite does not take. What is in them: tests/app/database.py.
#include "sim/database/database.h"

#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

class SqliteDatabase : public ::testing::Test {
 protected:
  void SetUp() override {
    if (database_library().starts_with("left out")) GTEST_SKIP() << "built without libsqlite3-dev";
  }
  static DatabaseTable table(std::string name, std::vector<std::string> columns) {
    return {std::move(name), CsvTable(std::move(columns))};
  }
};

TEST_F(SqliteDatabase, is_a_file_of_whole_pages) {
  DatabaseTable numbers = table("numbers", {"n", "x"});
  numbers.rows.add({"1", "0.5"});
  const std::string bytes = database_bytes({numbers}, {{"all", "SELECT * FROM numbers"}});
  EXPECT_TRUE(bytes.starts_with("SQLite format 3"));
  EXPECT_EQ(bytes.size() % 512, 0U);
}

TEST_F(SqliteDatabase, has_the_same_bytes_each_time) {
  DatabaseTable words = table("words", {"select", "a \"b\""});
  words.rows.add({"it's", ""});
  EXPECT_EQ(database_bytes({words}, {}), database_bytes({words}, {}));
}

TEST_F(SqliteDatabase, leaves_out_tables_without_columns) {
  const DatabaseTable numbers = table("numbers", {"n"});
  EXPECT_EQ(database_bytes({numbers, table("empty", {})}, {}), database_bytes({numbers}, {}));
}

TEST_F(SqliteDatabase, keeps_names_that_could_be_numbers) {
  DatabaseTable kernels = table("kernels", {"name", "mixed"});
  kernels.rows.add({"nan", "7"});
  kernels.rows.add({"inf", ""});
  kernels.rows.add({"infinity", "text"});
  const std::string bytes = database_bytes({kernels}, {});
  EXPECT_NE(bytes.find("\"name\" TEXT"), std::string::npos);
  EXPECT_NE(bytes.find("infinity"), std::string::npos);
}

TEST_F(SqliteDatabase, refuses_columns_of_one_name) {
  try {
    (void)database_bytes({table("twice", {"a", "A"})}, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::environment);
    EXPECT_EQ(error.diagnostics().front().code, "FILE-WRITE");
    EXPECT_NE(error.diagnostics().front().message.find("duplicate column"), std::string::npos);
  }
}

}  // namespace
}  // namespace teslasim
