// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/published.h"

#include <charconv>
#include <sstream>

#include "sim/base/csv.h"
#include "sim/base/diagnostic.h"
#include "sim/validation/micro_kernel.h"
#include "sim/validation/whole_kernel.h"

namespace teslasim {
namespace {

constexpr std::size_t fields_of_row = 14;

bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text == word) return true;
  }
  return false;
}

void check_row(const PublishedRow& row, const std::string& line) {
  const bool good = !row.id.empty() && row.experiment.starts_with('E') && !row.machine.empty() && !row.value.empty() &&
                    !row.tolerance.empty() && !row.source.empty() && !row.measure.empty() &&
                    is_any(row.confidence, {"high", "medium", "low"}) &&
                    is_any(row.kind, {"measured", "derived", "spec", "model"}) &&
                    is_any(row.read, {"paper", "page", "memory"}) && (row.measure != "-" || !row.why.empty());
  SIM_CHECK(good, "published.csv: malformed row: " + line);
}

}  // namespace

bool PublishedRow::counted() const {
  return is_any(kind, {"measured", "derived"}) && is_any(confidence, {"high", "medium"}) &&
         (read != "memory" || whole_kernel());
}

std::optional<double> PublishedRow::number() const {
  double number = 0.0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return number;
}

std::vector<PublishedRow> parse_published(std::string_view csv) {
  std::vector<PublishedRow> rows;
  std::istringstream lines{std::string(csv)};
  std::string line;
  std::getline(lines, line);  // the names of the columns
  while (std::getline(lines, line)) {
    const std::vector<std::string> f = csv_fields(line);
    SIM_CHECK(f.size() == fields_of_row, "published.csv: a row has " + std::to_string(f.size()) + " fields: " + line);
    rows.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13]});
    check_row(rows.back(), line);
  }
  return rows;
}

const std::vector<PublishedRow>& published_rows() {
  static const std::vector<PublishedRow> rows = [] {
    std::vector<PublishedRow> all = parse_published(micro_file("published.csv"));
    for (PublishedRow& row : parse_published(whole_file("published.csv"))) all.push_back(std::move(row));
    return all;
  }();
  return rows;
}

}  // namespace teslasim
