// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/arguments.h"

#include <sstream>

#include "sim/base/diagnostic.h"

namespace teslasim {

MeasureArguments::MeasureArguments(std::string_view text) {
  constexpr std::string_view set = "set:";
  std::istringstream words{std::string(text)};
  words >> measure_;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    SIM_CHECK(equals != std::string::npos, "measurement '" + std::string(text) + "': '" + word + "' has no '='");
    if (word.starts_with(set)) {
      sets_.push_back(word.substr(set.size()));
    } else {
      values_[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
}

std::string MeasureArguments::text(std::string_view key, const std::string& otherwise) const {
  const auto value = values_.find(key);
  return value == values_.end() ? otherwise : value->second;
}

std::int64_t MeasureArguments::number(std::string_view key, std::int64_t otherwise) const {
  const auto value = values_.find(key);
  return value == values_.end() ? otherwise : std::stoll(value->second);
}

double MeasureArguments::real(std::string_view key, double otherwise) const {
  const auto value = values_.find(key);
  return value == values_.end() ? otherwise : std::stod(value->second);
}

std::vector<std::int64_t> MeasureArguments::numbers(std::string_view key) const {
  std::vector<std::int64_t> found;
  std::istringstream parts(text(key));
  for (std::string part; std::getline(parts, part, ',');) found.push_back(std::stoll(part));
  return found;
}

}  // namespace teslasim
