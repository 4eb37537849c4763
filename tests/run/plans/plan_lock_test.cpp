// SPDX-License-Identifier: Apache-2.0
#include "sim/run/plans/plan_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

TEST(PlanLock, OneHolderAtATime) {
  const std::string folder = ::testing::TempDir() + "plan_lock_" + std::to_string(getpid()) + "/new/folder";
  std::optional<PlanLock> first(std::in_place, folder);
  try {
    const PlanLock second(folder);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::environment);
    EXPECT_EQ(error.diagnostics().front().code, "PLAN-BUSY");
  }
  first.reset();
  EXPECT_NO_THROW(PlanLock third(folder));
  std::filesystem::remove_all(std::filesystem::path(folder).parent_path().parent_path());
}

}  // namespace
}  // namespace teslasim
