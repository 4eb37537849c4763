// SPDX-License-Identifier: Apache-2.0
// Launches given by options of the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/workload/read/inline_options.h"
#include "frontend/workload/resolve/resolve.h"
#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Initialiser = BufferSpec::Initialiser;

InlineLaunch with(std::vector<std::string> parameters, std::vector<std::string> checks = {}) {
  InlineLaunch options;
  options.grid = "64,64";
  options.block = "16,16";
  options.parameters = std::move(parameters);
  options.checks = std::move(checks);
  return options;
}

Workload resolved(const InlineLaunch& options, std::shared_ptr<const Module> module = any_module()) {
  MistakeList mistakes(inline_text(options));
  ResolveContext context;
  context.module = std::move(module);
  Workload workload = resolve(read_inline_options(options, mistakes), context, mistakes);
  mistakes.throw_errors(ExitCode::usage);
  return workload;
}

std::vector<std::string> errors(const InlineLaunch& options, std::shared_ptr<const Module> module = any_module()) {
  try {
    (void)resolved(options, std::move(module));
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      EXPECT_EQ(diagnostic.where.file, "command line");
      EXPECT_FALSE(diagnostic.excerpt.empty());
    }
    return summaries(error.diagnostics());
  }
  return {};
}

TEST(InlineLaunch, matmul_of_the_manual) {
  InlineLaunch options = with({"A=f32[1048576]:rand:1", "B=f32[1048576]:rand:2", "C=f32[1048576]:zero", "n=1024"},
                              {"C=matmul:a=A:b=B:k=n:n=n"});
  options.tolerance = "1e-4";
  const Workload workload = resolved(options);
  const LaunchSpec& launch = workload.launches.at(0);
  EXPECT_THAT(launch.grid, ElementsAre(64, 64, 1));
  EXPECT_THAT(launch.block, ElementsAre(16, 16, 1));
  ASSERT_EQ(workload.buffers.size(), 3U);
  EXPECT_EQ(workload.buffers[1].initialiser, Initialiser::random);
  EXPECT_EQ(workload.buffers[1].seed, 2U);
  EXPECT_EQ(launch.parameters.at(3).type, ValueType::u32);
  EXPECT_EQ(launch.parameters[3].bits, 1024U);
  ASSERT_EQ(workload.expectations.size(), 1U);
  EXPECT_EQ(workload.expectations[0].builtin, "matmul");
  EXPECT_EQ(workload.expectations[0].tolerance_absolute, 1e-4);
  EXPECT_EQ(workload.expectations[0].tolerance_relative, 1e-4);
}

TEST(InlineLaunch, the_type_of_a_number_follows_from_its_form) {
  const Workload workload = resolved(with({"a=5", "b=-5", "c=5.0", "d=u8:5", "e=f32:5", "f=0x10", "g=1e3"}));
  const std::vector<ParameterValue>& parameters = workload.launches.at(0).parameters;
  EXPECT_EQ(parameters.at(0).type, ValueType::u32);
  EXPECT_EQ(parameters.at(1).type, ValueType::s32);
  EXPECT_EQ(parameters.at(1).bits, 0xfffffffbU);
  EXPECT_EQ(parameters.at(2).type, ValueType::f32);
  EXPECT_EQ(parameters.at(3).type, ValueType::u8);
  EXPECT_EQ(parameters.at(4).bits, 0x40a00000U);
  EXPECT_EQ(parameters.at(5).bits, 16U);
  EXPECT_EQ(parameters.at(6).type, ValueType::f32);
}

TEST(InlineLaunch, initialisers) {
  const Workload workload =
      resolved(with({"a=u32[8]", "b=u32[8]:iota", "c=f32[8]:rand:1:-2:2.5", "d=s32[8]:const:-3", "e=u32[8]:perm:4:2"}));
  ASSERT_EQ(workload.buffers.size(), 5U);
  EXPECT_EQ(workload.buffers[0].initialiser, Initialiser::zero);
  EXPECT_EQ(workload.buffers[1].initialiser, Initialiser::iota);
  EXPECT_EQ(workload.buffers[2].low, -2.0);
  EXPECT_EQ(workload.buffers[2].high, 2.5);
  EXPECT_EQ(workload.buffers[3].value, -3.0);
  EXPECT_EQ(workload.buffers[4].initialiser, Initialiser::permutation);
  EXPECT_EQ(workload.buffers[4].stride, 2U);
}

TEST(InlineLaunch, errors_point_into_the_option) {
  EXPECT_THAT(errors(with({"n=10x24"})), ElementsAre("LAUNCH-INLINE 3:11+5 '10x24' is not a number"));
  EXPECT_THAT(errors(with({"n"})), ElementsAre(HasSubstr("LAUNCH-INLINE 3:9+1 a parameter is written")));
  EXPECT_THAT(errors(with({""})), ElementsAre(HasSubstr("LAUNCH-INLINE 3:9+1 a parameter is written")));
  EXPECT_THAT(errors(with({"A=f33[4]:zero"})), ElementsAre("LAUNCH-TYPE 3:11+3 there is no element type 'f33'"));
  EXPECT_THAT(errors(with({"A=f32[4:zero"})), ElementsAre("LAUNCH-INLINE 3:14+7 the bracket is not closed"));
  EXPECT_THAT(errors(with({"A=f32[0]:zero"})), ElementsAre(HasSubstr("LAUNCH-RANGE 3:15+1 'count' must be between 1")));
  EXPECT_THAT(errors(with({"A=f32[4]:rnd:1"})), ElementsAre("LAUNCH-INLINE 3:18+3 there is no initialiser 'rnd'"));
  EXPECT_THAT(errors(with({"A=f32[4]:zero:1"})), ElementsAre("LAUNCH-INLINE 3:23+1 'zero' does not take '1'"));
  EXPECT_THAT(errors(with({"A=f32[4]zero"})), ElementsAre(HasSubstr("LAUNCH-INLINE 3:17+4")));
  EXPECT_THAT(errors(with({"A=f32[]:absent.npy"})),
              ElementsAre("LAUNCH-FILE 3:17+10 'absent.npy': there is no such file"));
  EXPECT_THAT(errors(with({"n=u8:300"})),
              ElementsAre("LAUNCH-RANGE 3:14+3 'value' must be between 0 and 255 for u8, got 300"));
  EXPECT_THAT(errors(with({"n=1", "n=2"})), ElementsAre("LAUNCH-DUPLICATE 4:9+1 parameter 'n' is given twice"));
}

TEST(InlineLaunch, errors_of_grid_and_block) {
  InlineLaunch options;
  options.grid = "64,0";
  EXPECT_THAT(errors(options), ElementsAre("LAUNCH-MISSING 1:1+1 the launch has no 'block'",
                                           "LAUNCH-RANGE 1:11+1 'grid' must be between 1 and 65535, got 0"));
  options.block = "16x";
  EXPECT_THAT(errors(options), ElementsAre("LAUNCH-RANGE 1:11+1 'grid' must be between 1 and 65535, got 0",
                                           "LAUNCH-INLINE 2:12+1 '' is not a number"));
  options.grid = "64x2";
  options.block = "16";
  EXPECT_THAT(resolved(options).launches.at(0).grid, ElementsAre(64, 2, 1));
}

TEST(InlineLaunch, errors_of_checks) {
  EXPECT_THAT(errors(with({"C=f32[4]"}, {"D=x.npy"})),
              ElementsAre("LAUNCH-UNKNOWN 4:9+1 there is no buffer 'D' to check"));
  EXPECT_THAT(errors(with({"C=f32[4]"}, {"C"})), ElementsAre(HasSubstr("LAUNCH-INLINE 4:9+1 a check is written")));
  EXPECT_THAT(errors(with({"C=f32[4]"}, {"C=matmull"})),
              ElementsAre("LAUNCH-BUILTIN 4:11+7 there is no built-in reference 'matmull'"));
  EXPECT_THAT(errors(with({"C=f32[4]"}, {"C=block_sum:C"})), ElementsAre(HasSubstr("LAUNCH-INLINE 4:21+1")));
}

TEST(InlineLaunch, parameters_are_compared_with_the_kernel) {
  EXPECT_THAT(errors(with({"in=f32[4]", "out=f32[4]", "n=4"}), scale_module()),
              ElementsAre("LAUNCH-MISSING 3:1+1 parameter 'factor' of kernel 'scale' is missing"));
  EXPECT_THAT(errors(with({"in=f32[4]", "out=f32[4]", "n=4", "factor=2.0"}), scale_module()), IsEmpty());
}

}  // namespace
}  // namespace teslasim
