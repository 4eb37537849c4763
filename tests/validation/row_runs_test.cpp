// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/row_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace teslasim {
namespace {

PublishedRow row_of(const std::string& id, const std::string& experiment, const std::string& machine) {
  PublishedRow row;
  row.id = id;
  row.experiment = experiment;
  row.machine = machine;
  return row;
}

const std::vector<PublishedRow> rows{
    row_of("COL-PRED-1", "E5", "gtx280"),  row_of("HARRIS-1:3", "E30", "8800gtx"), row_of("NV-COAL", "E30", "8800gtx"),
    row_of("HARRIS-7M", "E30", "8800gtx"), row_of("COL-PRED-2", "E5", "c870"),
};

TEST(Families, AnExperimentIsOne) {
  EXPECT_EQ("E5", family_of(rows[0]));
}

TEST(Families, AuthorsOfWholeKernelsAreFamiliesOfTheirOwn) {
  EXPECT_EQ("E30 HARRIS", family_of(rows[1]));
  EXPECT_EQ("E30 NV", family_of(rows[2]));
}

TEST(Families, EachOnceInTheOrderOfTheRows) {
  EXPECT_THAT(families_of(rows), ::testing::ElementsAre("E5", "E30 HARRIS", "E30 NV"));
}

TEST(Machines, EachOnceInTheOrderOfTheRows) {
  EXPECT_THAT(machines_of(rows), ::testing::ElementsAre("gtx280", "8800gtx", "c870"));
}

TEST(ErrorInTolerances, OfAnExactRowInPercent) {
  PublishedRow row = row_of("A", "E1", "c870");
  row.value = "20";
  row.tolerance = "10%";
  EXPECT_NEAR(1.5, error_in_tolerances(row, 23.0).value(), 1e-6);
  row.tolerance = "0";
  EXPECT_NEAR(15.0, error_in_tolerances(row, 23.0).value(), 1e-6);
  EXPECT_FALSE(error_in_tolerances(row, std::nullopt));
}

}  // namespace
}  // namespace teslasim
