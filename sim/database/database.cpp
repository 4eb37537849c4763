// SPDX-License-Identifier: Apache-2.0
#include "sim/database/database.h"

#include "sim/base/diagnostic.h"

#ifdef TESLASIM_SQLITE
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#endif

namespace teslasim {

#ifdef TESLASIM_SQLITE

namespace {

/// What a cell is, and what the cells of a column are.
enum class Kind : std::uint8_t { integer, real, text, mixed };

template <typename Number>
std::optional<Number> whole_cell(std::string_view cell) {
  Number value{};
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

Kind kind_of(std::string_view cell) {
  // "nan" and "inf" would be numbers: here they are names.
  if (cell.back() < '0' || cell.back() > '9') return Kind::text;
  if (whole_cell<std::int64_t>(cell)) return Kind::integer;
  return whole_cell<double>(cell) ? Kind::real : Kind::text;
}

Kind common_kind(Kind one, Kind other) {
  if (one == other) return one;
  return one == Kind::text || other == Kind::text ? Kind::mixed : std::max(one, other);
}

std::vector<Kind> column_kinds(const CsvTable& table) {
  std::vector<std::optional<Kind>> found(table.columns().size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t column = 0; column < found.size(); ++column) {
      const std::string& cell = table.row(row)[column];
      if (!cell.empty()) found[column] = common_kind(found[column].value_or(kind_of(cell)), kind_of(cell));
    }
  }
  std::vector<Kind> kinds;
  for (const std::optional<Kind> kind : found) kinds.push_back(kind.value_or(Kind::text));
  return kinds;
}

std::string sql_name(std::string_view name) {
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

[[noreturn]] void refuse(const std::string& what) {
  Diagnostic diagnostic;
  diagnostic.code = "FILE-WRITE";
  diagnostic.message = "SQLite cannot hold these tables: " + what;
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

/// In memory, so that the file appears when it is complete.
class MemoryDatabase {
 public:
  MemoryDatabase() {
    sqlite3* opened = nullptr;
    const int status = sqlite3_open(":memory:", &opened);
    connection_.reset(opened);
    if (status != SQLITE_OK) refuse(sqlite3_errstr(status));
  }

  void run(const std::string& statement) {
    if (sqlite3_exec(connection_.get(), statement.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  void add(const DatabaseTable& table) {
    const std::vector<Kind> kinds = column_kinds(table.rows);
    std::string columns, marks;
    for (std::size_t column = 0; column < kinds.size(); ++column) {
      constexpr const char* types[] = {" INTEGER", " REAL", " TEXT", ""};
      columns +=
          (column == 0 ? "" : ", ") + sql_name(table.rows.columns()[column]) + types[static_cast<int>(kinds[column])];
      marks += column == 0 ? "?" : ",?";
    }
    run("CREATE TABLE " + sql_name(table.name) + " (" + columns + ")");
    const Statement insert = prepare("INSERT INTO " + sql_name(table.name) + " VALUES (" + marks + ")");
    for (std::size_t row = 0; row < table.rows.rows(); ++row) {
      for (std::size_t column = 0; column < kinds.size(); ++column) {
        bind(insert.get(), static_cast<int>(column) + 1, kinds[column], table.rows.row(row)[column]);
      }
      if (sqlite3_step(insert.get()) != SQLITE_DONE || sqlite3_reset(insert.get()) != SQLITE_OK) fail();
    }
  }

  [[nodiscard]] std::string bytes() const {
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> data(
        sqlite3_serialize(connection_.get(), "main", &size, 0), sqlite3_free);
    if (!data) refuse("there is no memory for them");
    return {reinterpret_cast<const char*>(data.get()), static_cast<std::size_t>(size)};
  }

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Close>;

  [[noreturn]] void fail() const { refuse(sqlite3_errmsg(connection_.get())); }
  [[nodiscard]] Statement prepare(const std::string& text) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(connection_.get(), text.c_str(), -1, &statement, nullptr) != SQLITE_OK) fail();
    return Statement(statement);
  }
  /// `cell` outlives the step.
  static void bind(sqlite3_stmt* statement, int place, Kind column, const std::string& cell) {
    if (cell.empty()) {
      sqlite3_bind_null(statement, place);
      return;
    }
    const Kind kind = column == Kind::mixed ? kind_of(cell) : column;
    if (kind == Kind::integer) {
      sqlite3_bind_int64(statement, place, whole_cell<std::int64_t>(cell).value_or(0));
    } else if (kind == Kind::real) {
      sqlite3_bind_double(statement, place, whole_cell<double>(cell).value_or(0));
    } else {
      sqlite3_bind_text64(statement, place, cell.data(), cell.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
  }

  std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace

std::string database_library() {
  return sqlite3_libversion();
}

std::string database_bytes(const std::vector<DatabaseTable>& tables, const std::vector<DatabaseView>& views) {
  MemoryDatabase database;
  database.run("BEGIN");
  for (const DatabaseTable& table : tables) {
    if (!table.rows.columns().empty()) database.add(table);
  }
  for (const DatabaseView& view : views) database.run("CREATE VIEW " + sql_name(view.name) + " AS " + view.query);
  database.run("COMMIT");
  return database.bytes();
}

#else

std::string database_library() {
  return "left out: built without libsqlite3-dev";
}

std::string database_bytes(const std::vector<DatabaseTable>& /*tables*/, const std::vector<DatabaseView>& /*views*/) {
  Diagnostic diagnostic;
  diagnostic.code = "ENV-LIBRARY";
  diagnostic.message = "--sqlite: this program was built without SQLite";
  diagnostic.help = "apt-get install libsqlite3-dev, then configure and build again (./quickstart does both)";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

#endif

}  // namespace teslasim
