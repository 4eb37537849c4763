// SPDX-License-Identifier: Apache-2.0
// Every published or derived result of the analytical models that is one evaluation of one model:
// tests/model/oracles.csv.
//   EXACT     the published value, to its last printed digit, and ours to ten digits
//   CLOSE     ours to ten digits; the published value was rounded on the way
//   DERIVED   ours to ten digits; nothing was published
//   MISMATCH  the published value does not follow from the published inputs: it must not be reproduced
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "oracles.h"
#include "sim/base/prediction.h"
#include "sim/model/model.h"

namespace teslasim {
namespace {

constexpr double ten_digits = 1e-9;

/// The value that a row is about; "ms" and "bound" are the prediction itself.
std::optional<double> value_of(const Oracle& oracle) {
  if (oracle.model == "error") {
    const InputSet none;
    const double predicted = std::stod(oracle.inputs.at(0).second), measured = std::stod(oracle.inputs.at(1).second);
    return 100.0 * relative_error(predicted, measured);
  }
  const Prediction prediction = evaluate(*find_model(oracle.model), input_set(oracle));
  if (oracle.term == "ms") return prediction.seconds ? std::optional(1e3 * *prediction.seconds) : std::nullopt;
  const PredictionTerm* term = prediction.find_term(oracle.term);
  return term == nullptr ? std::nullopt : std::optional(term->value);
}

class OracleTest : public ::testing::TestWithParam<Oracle> {};

TEST_P(OracleTest, IsReproduced) {
  const Oracle& oracle = GetParam();
  SCOPED_TRACE(oracle.model + " / " + oracle.name + " / " + oracle.term + " from " + oracle.source);
  if (oracle.model != "error") {
    ASSERT_NE(find_model(oracle.model), nullptr);
    for (const auto& [name, value] : oracle.inputs) {
      if (name == "kernel_type" || name == "scheduler_policy") continue;
      EXPECT_NE(find_input_info(name), nullptr) << name;
    }
  }
  if (oracle.term == "bound") {
    EXPECT_EQ(evaluate(*find_model(oracle.model), input_set(oracle)).bound, oracle.published);
    return;
  }
  const std::optional<double> value = value_of(oracle);
  ASSERT_TRUE(value) << "no such value";
  const double recomputed = std::stod(oracle.recomputed);
  EXPECT_NEAR(*value, recomputed, ten_digits * std::max(1.0, std::abs(recomputed)));
  if (oracle.status == "EXACT") {
    EXPECT_NEAR(*value, std::stod(oracle.published), printed_precision(oracle.published) * (1.0 + ten_digits));
  } else if (oracle.status == "MISMATCH") {
    EXPECT_GT(std::abs(*value - std::stod(oracle.published)), printed_precision(oracle.published));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, OracleTest, ::testing::ValuesIn(read_oracles()),
                         [](const ::testing::TestParamInfo<Oracle>& row) {
                           return "row" + std::to_string(row.index + 2);
                         });

TEST(Oracles, AreAllThere) {
  std::map<std::string, int> count;
  for (const Oracle& oracle : read_oracles()) ++count[oracle.status];
  EXPECT_GE(count["EXACT"], 220);
  EXPECT_GE(count["DERIVED"], 70);
  EXPECT_EQ(count["MISMATCH"], 10);
}

}  // namespace
}  // namespace teslasim
