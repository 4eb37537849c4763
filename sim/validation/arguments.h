// SPDX-License-Identifier: Apache-2.0
// How a row of the published table says what to measure: `latency step=mad_2 in=sm`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

class MeasureArguments {
 public:
  /// `text` is a word and any number of `key=value`. Throws InternalError for anything else.
  explicit MeasureArguments(std::string_view text);

  [[nodiscard]] const std::string& measure() const { return measure_; }
  [[nodiscard]] std::string text(std::string_view key, const std::string& otherwise = "") const;
  [[nodiscard]] std::int64_t number(std::string_view key, std::int64_t otherwise) const;
  [[nodiscard]] double real(std::string_view key, double otherwise) const;
  [[nodiscard]] bool has(std::string_view key) const { return values_.contains(key); }
  /// The numbers of `key=1,2,3`.
  [[nodiscard]] std::vector<std::int64_t> numbers(std::string_view key) const;
  /// Overrides of the machine: `set:KEY=VALUE`.
  [[nodiscard]] const std::vector<std::string>& sets() const { return sets_; }

 private:
  std::string measure_;
  std::map<std::string, std::string, std::less<>> values_;
  std::vector<std::string> sets_;
};

}  // namespace teslasim
