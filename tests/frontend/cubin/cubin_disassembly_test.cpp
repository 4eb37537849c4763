// SPDX-License-Identifier: Apache-2.0
// Real cubins through text: what the disassembler prints of them, the assembler reads back to the same words.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "frontend/frontend.h"
#include "frontend/text/assembler.h"
#include "frontend/text/disassembly.h"
#include "isa/disassembler.h"
#include "isa/encoding/encoding.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

const fs::path shared = fs::path(TESLASIM_SOURCE_DIR) / "../shared/cubins";

std::vector<fs::path> cubins_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code absent;
  for (auto entry = fs::recursive_directory_iterator(folder, absent); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (entry->path().extension() == ".cubin") paths.push_back(entry->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Module assembled(const std::string& text, const std::string& path) {
  try {
    return assemble_text(text, path);
  } catch (const InputError& error) {
    for (const Diagnostic& problem : error.diagnostics()) ADD_FAILURE() << render(problem);
    return {};
  }
}

std::string place(const fs::path& path, const Instruction& instruction) {
  return fmt::format("{} {:06x}: {}", path.filename().string(), instruction.pc, to_text(instruction));
}

bool same_parameters(const Kernel& left, const Kernel& right) {
  return std::equal(left.parameters.begin(), left.parameters.end(), right.parameters.begin(), right.parameters.end(),
                    [](const Parameter& one, const Parameter& other) {
                      return one.offset == other.offset && one.bytes == other.bytes;
                    });
}

/// Instructions of `module` that come back from text with other words.
std::vector<std::string> changed_by_text(const Module& module, const fs::path& path) {
  std::vector<std::string> changed;
  const Module again = assembled(disassembly(module, DisassemblyFormat::assembly), path.filename().string() + ".asm");
  if (again.kernels.size() != module.kernels.size()) return {path.string()};
  for (std::size_t k = 0; k < module.kernels.size(); ++k) {
    const std::vector<Instruction>& left = module.kernels[k].code;
    const std::vector<Instruction>& right = again.kernels[k].code;
    if (!same_parameters(module.kernels[k], again.kernels[k])) changed.push_back(path.string() + ": other parameters");
    if (left.size() != right.size()) changed.push_back(path.string() + ": another number of instructions");
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
      const Encoding words = encode(left[i], module.sm);
      const Encoding words_again = encode(right[i], module.sm);
      if (!words_again.words || *words_again.words != *words.words)
        changed.push_back(fmt::format("{} became {} {}", place(path, left[i]), to_text(right[i]), words_again.problem));
    }
  }
  return changed;
}

class CubinText : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (paths.empty()) GTEST_SKIP() << "../shared/cubins/" << GetParam() << " is absent";
  }
  std::vector<fs::path> paths = cubins_below(shared / GetParam());
};

TEST_P(CubinText, DisassemblyAssemblesToTheSameWords) {
  for (const fs::path& path : paths) {
    ReadOptions options;
    options.allow_unaligned = true;  // for one of the FlexGrip programs
    const Module module = read_module(path.string(), options);
    EXPECT_THAT(changed_by_text(module, path), ::testing::IsEmpty());
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, CubinText, ::testing::Values("decuda/cubin", "flexgrip", "small", "random"));

}  // namespace
}  // namespace teslasim
