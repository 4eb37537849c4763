// SPDX-License-Identifier: Apache-2.0
// Which reader takes which file.
#include "frontend/frontend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

using testing::HasSubstr;

Diagnostic first_problem(const std::string& path, std::string_view bytes) {
  try {
    (void)read_module_bytes(path, bytes);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::input);
    return error.diagnostics().at(0);
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(Frontend, TellsFilesByTheirContent) {
  EXPECT_EQ(read_module_bytes("a", "architecture {sm_10} code { name = k reg = 1 bincode { 0xf0000001 0xe0000001 } }")
                .container,
            "text cubin");
  EXPECT_EQ(read_module_bytes("a", ".entry k\n{\nreturn\n}\n").container, "assembly");
}

TEST(Frontend, ReadsATextCubinWhateverItsNameIs) {
  const Module module = read_module_bytes(
      "kernel.txt", "architecture {sm_11}\ncode { name = k reg = 1 bincode { 0xf0000001 0xe0000001 } }");
  EXPECT_EQ(module.path, "kernel.txt");
  EXPECT_EQ(module.kernels.at(0).name, "k");
}

TEST(Frontend, UnknownBytesAreRefusedWithWhatIsKnown) {
  const Diagnostic problem = first_problem("data.bin", std::string_view("\0\1\2\3", 4));
  EXPECT_EQ(problem.code, "INPUT-FORMAT");
  EXPECT_EQ(problem.where.file, "data.bin");
}

TEST(Frontend, AMissingFileIsNamed) {
  try {
    (void)read_module("/nowhere/at/all.asm");
    FAIL() << "read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().at(0).code, "INPUT-FILE");
    EXPECT_THAT(error.diagnostics().at(0).message, HasSubstr("/nowhere/at/all.asm"));
  }
}

}  // namespace
}  // namespace teslasim
