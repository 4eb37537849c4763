// SPDX-License-Identifier: Apache-2.0
#include "oracles.h"

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace teslasim {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (const char character : line) {
    if (character == '"') {
      quoted = !quoted;
    } else if (character == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += character;
    }
  }
  return cells;
}

}  // namespace

void PrintTo(const Oracle& oracle, std::ostream* stream) {
  *stream << oracle.model << ", " << oracle.name << ", " << oracle.term;
}

std::vector<std::vector<std::string>> read_table(const std::string& file) {
  std::ifstream stream(std::string(TESLASIM_SOURCE_DIR) + "/tests/model/" + file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) rows.push_back(split(line));
  return rows;
}

std::vector<Oracle> read_oracles() {
  std::vector<Oracle> oracles;
  for (const std::vector<std::string>& cells : read_table("oracles.csv")) {
    Oracle oracle{cells.at(0), cells.at(1), cells.at(3), cells.at(4), cells.at(5),
                  cells.at(6), cells.at(7), cells.at(8), {}};
    std::istringstream pairs(cells.at(2));
    std::string pair;
    while (std::getline(pairs, pair, ';')) {
      const std::size_t sign = pair.find('=');
      oracle.inputs.emplace_back(pair.substr(0, sign), pair.substr(sign + 1));
    }
    oracles.push_back(std::move(oracle));
  }
  return oracles;
}

InputSet input_set(const Oracle& oracle) {
  InputSet inputs;
  for (const auto& [name, value] : oracle.inputs) {
    if (name == "kernel_type" || name == "scheduler_policy") {
      inputs.set_word(name, value, InputOrigin::given, oracle.source);
    } else {
      inputs.set(name, std::stod(value), InputOrigin::given, oracle.source);
    }
  }
  return inputs;
}

double printed_precision(const std::string& number) {
  const std::size_t point = number.find('.');
  const std::size_t digits = point == std::string::npos ? 0 : number.size() - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(digits));
}

}  // namespace teslasim
