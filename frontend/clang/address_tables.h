// SPDX-License-Identifier: Apache-2.0
// Variables that start with addresses of others: LLVM 14 refuses some of them for these chips, or writes what no loader
// can fill in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace teslasim::cuda {

/// `int* rows[2] = {a, b}` in a function: clang copies a constant table, whose addresses of shared memory no loader
/// knows. Each copy becomes a store of the values. `code` is what clang wrote, before any pass.
[[nodiscard]] std::string with_stored_tables(const std::string& code);

/// A variable of a file whose initial value has addresses, as a declaration of PTX.
struct AddressTable {
  std::string name;
  std::string declaration;
};

/// LLVM's code in which variables with addresses are only declared, and what stands for them in PTX.
struct DeclaredTables {
  std::string code;
  std::vector<AddressTable> tables;
};
[[nodiscard]] DeclaredTables with_declared_tables(const std::string& code);

/// The PTX that llc made of such code, with the declarations put in.
[[nodiscard]] std::string with_address_tables(const std::string& ptx, const std::vector<AddressTable>& tables);

}  // namespace teslasim::cuda
