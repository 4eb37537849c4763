// SPDX-License-Identifier: Apache-2.0
// Tables as an SQLite file: SQL, pandas, R and DuckDB read it.
#pragma once

#include <string>
#include <vector>

#include "sim/base/csv.h"

namespace teslasim {

struct DatabaseTable {
  std::string name;
  CsvTable rows;
};

/// A query under a name of its own.
struct DatabaseView {
  std::string name;
  std::string query;
};

/// "sqlite 3.40.1", or what is missing.
[[nodiscard]] std::string database_library();

/// The bytes of the file. A column holds integers, reals or text where all its cells are such, else what each cell is;
/// empty cells are NULL. Tables without columns are left out. Throws InputError (environment): ENV-LIBRARY in a program
/// built without SQLite, FILE-WRITE for what SQLite does not take, such as two columns of one name.
[[nodiscard]] std::string database_bytes(const std::vector<DatabaseTable>& tables,
                                         const std::vector<DatabaseView>& views);

}  // namespace teslasim
