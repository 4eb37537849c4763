// SPDX-License-Identifier: Apache-2.0
// Damaged launch files and options: whatever the damage, the answer is a workload or an error with a code and a place.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/workload/device/pcg32.h"
#include "frontend/workload/read/inline_options.h"
#include "frontend/workload/resolve/resolve.h"
#include "tests/frontend/workload/support.h"
#include "tests/support/volume.h"

namespace teslasim {
namespace {

using namespace workload_test;

constexpr int mutations_per_text = test::volume(150, 15);

std::vector<std::string> shipped_launch_files() {
  std::vector<std::string> texts;
  const std::filesystem::path traces = std::filesystem::path(TESLASIM_SOURCE_DIR) / "traces";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(traces)) {
    if (!entry.path().string().ends_with(".launch.toml")) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

/// Deletes, doubles, swaps or overwrites a few bytes or lines.
std::string mutated(std::string text, Pcg32& random) {
  for (std::uint32_t i = 0; i <= random.below(3) && !text.empty(); ++i) {
    const std::size_t at = random.below(text.size());
    const std::size_t length = 1 + random.below(12);
    switch (random.below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(random.below(text.size()), length));
        break;
      case 2:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 3:
        text[at] = "[]{}=\",.#-0123456789eE_"[random.below(23)];
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

void expect_useful(const InputError& error) {
  ASSERT_FALSE(error.diagnostics().empty());
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    EXPECT_TRUE(diagnostic.code.starts_with("LAUNCH-")) << diagnostic.code;
    EXPECT_FALSE(diagnostic.message.empty());
    EXPECT_FALSE(render(diagnostic).empty());
  }
}

TEST(Mutation, damaged_launch_files_are_read_or_refused) {
  const std::vector<std::string> texts = shipped_launch_files();
  ASSERT_FALSE(texts.empty());
  Pcg32 random(1);
  for (const std::string& text : texts) {
    for (int i = 0; i < mutations_per_text; ++i) {
      const std::string damaged = mutated(text, random);
      try {
        (void)read(damaged, scale_module());
      } catch (const InputError& error) {
        expect_useful(error);
      }
    }
  }
}

TEST(Mutation, damaged_options_are_read_or_refused) {
  const std::vector<std::string> options = {"A=f32[1024]:rand:1", "B=u32[16]:perm:1:2", "C=f32[4]:const:1.5", "n=u32:5",
                                            "x=-1.5e3"};
  Pcg32 random(2);
  for (int i = 0; i < 3000; ++i) {
    InlineLaunch launch;
    launch.grid = mutated("64,64", random);
    launch.block = mutated("16x16", random);
    for (const std::string& option : options) launch.parameters.push_back(mutated(option, random));
    launch.checks = {mutated("C=block_sum:of=A", random)};
    launch.tolerance = mutated("1e-4", random);
    MistakeList mistakes(inline_text(launch));
    ResolveContext context;
    context.module = any_module();
    try {
      (void)resolve(read_inline_options(launch, mistakes), context, mistakes);
      mistakes.throw_errors(ExitCode::usage);
    } catch (const InputError& error) {
      expect_useful(error);
    }
  }
}

}  // namespace
}  // namespace teslasim
