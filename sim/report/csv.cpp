// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv.h"

#include "sim/base/excerpt.h"

namespace teslasim {

std::string csv_field(std::string_view field) {
  const std::string text = printable_lines(field);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  return quoted + '"';
}

std::string csv_row(const std::vector<std::string>& fields) {
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i != 0) row += ',';
    row += csv_field(fields[i]);
  }
  return row + '\n';
}

}  // namespace teslasim
