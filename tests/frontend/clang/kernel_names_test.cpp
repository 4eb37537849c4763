// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/kernel_names.h"

#include <gtest/gtest.h>

namespace teslasim::cuda {
namespace {

TEST(KernelNames, lose_what_cxx_adds) {
  EXPECT_EQ(plain_kernel_name("_Z6vecaddPKfS0_Pfi"), "vecadd");
  EXPECT_EQ(plain_kernel_name("_ZN5image4blurEPf"), "image::blur");
  EXPECT_EQ(plain_kernel_name("_Z4fillIfEv4PairT_"), "fill<float>");
  EXPECT_EQ(plain_kernel_name("_Z4sortIZ4mainE1FEvPT_"), "sort<main::F>");
  EXPECT_EQ(plain_kernel_name("_ZN12_GLOBAL__N_16hiddenEv"), "(anonymous namespace)::hidden");
}

TEST(KernelNames, with_types_tell_overloads_apart) {
  EXPECT_EQ(kernel_signature("_ZN1a4blurEPfi"), "a::blur(float*, int)");
  EXPECT_EQ(kernel_signature("_Z4fillIfEvPT_"), "fill<float>(float*)");
  EXPECT_EQ(kernel_signature("_ZN12_GLOBAL__N_16hiddenEv"), "(anonymous namespace)::hidden()");
  EXPECT_EQ(kernel_signature("plain"), "plain");
}

TEST(KernelNames, of_variables_are_their_last) {
  EXPECT_EQ(source_name("_ZZ3bigILi80EEvPfE4tile"), "tile");
  EXPECT_EQ(source_name("_ZZN1m1kEiE1a"), "a");
  EXPECT_EQ(source_name("_ZN1m4hugeE"), "m::huge");
  EXPECT_EQ(source_name("_ZL5table"), "table");
  EXPECT_EQ(source_name("_Z3fibi"), "fib");
  EXPECT_EQ(source_name("plain"), "plain");
}

TEST(KernelNames, of_linkers_vanish_from_messages) {
  EXPECT_EQ(with_source_names("'_Z3fibi' calls itself"), "'fib' calls itself");
  EXPECT_EQ(with_source_names("'a' and '_Z4workILi24ELb1EfEvPT1_', '_ZL1b'"), "'a' and 'work<24, true, float>', 'b'");
  EXPECT_EQ(with_source_names("'_Znothing' and '_Z3fibi"), "'_Znothing' and '_Z3fibi");
}

TEST(KernelNames, are_shown_where_one_kernel_alone_has_them) {
  Module module;
  for (const char* name : {"_Z4workILi24ELb1EfEvPT1_", "_Z4samei", "_Z4samef", "vecadd"}) {
    module.kernels.emplace_back();
    module.kernels.back().name = name;
  }
  EXPECT_EQ(shown_kernel_name(module, module.kernels[0]), "work<24, true, float>");
  EXPECT_EQ(shown_kernel_name(module, module.kernels[1]), "same(int)");
  EXPECT_EQ(shown_kernel_name(module, module.kernels[3]), "vecadd");
}

TEST(KernelNames, mean_all_instances_of_a_template) {
  EXPECT_TRUE(is_called("_Z4fillIfEv4PairT_", "fill"));
  EXPECT_TRUE(is_called("_Z4fillIfEv4PairT_", "fill<float>"));
  EXPECT_TRUE(is_called("_Z4fillIfEv4PairT_", "_Z4fillIfEv4PairT_"));
  EXPECT_TRUE(is_called("vecadd", "vecadd"));
  EXPECT_FALSE(is_called("_Z4fillIfEv4PairT_", "fil"));
  EXPECT_FALSE(is_called("_Z4fillIfEv4PairT_", "fill<int>"));
}

TEST(KernelNames, of_c_and_damaged_ones_stay) {
  for (const char* name : {"vecadd", "", "_Z", "_Zzz", "_reduce"}) EXPECT_EQ(plain_kernel_name(name), name);
}

TEST(KernelNames, of_parameters_stand_in_llvms_code) {
  const auto names = parameter_names(
      "; define void @comment(i32 %x)\n"
      "define dso_local void @k(float* noundef %a, %struct.Pair* noundef byval(%struct.Pair) align 8 %pair,"
      " i32 noundef %n) #0 comdat {\n"
      "define void @none() {\n"
      "define linkonce_odr float @f({ i32, i32 }* %0, [4 x float] %\"odd name\", <2 x i32> %last) {\n");
  ASSERT_EQ(names.size(), 3U);
  EXPECT_EQ(names.at("k"), (std::vector<std::string>{"a", "pair", "n"}));
  EXPECT_TRUE(names.at("none").empty());
  EXPECT_EQ(names.at("f"), (std::vector<std::string>{"", "", "last"}));
}

TEST(KernelNames, of_damaged_code_are_none) {
  for (const char* text : {"define ", "define void @k", "define void @k(i32 %a", "define void k(i32 %a)", "define @("})
    for (const auto& [name, parameters] : parameter_names(text)) EXPECT_TRUE(parameters.empty()) << text;
}

Kernel kernel_named(const std::string& name, unsigned parameters = 0) {
  Kernel kernel;
  kernel.name = name;
  for (unsigned i = 0; i < parameters; ++i) kernel.parameters.push_back({"p" + std::to_string(i)});
  return kernel;
}

TEST(KernelNames, of_a_module_become_those_of_the_source) {
  Module module;
  module.kernels = {kernel_named("_Z6vecaddPKfS0_Pfi", 2), kernel_named("_Z4fillIfEv4PairT_"), kernel_named("_Z4samei"),
                    kernel_named("_Z4samef")};
  name_as_in_source(module, {{"_Z6vecaddPKfS0_Pfi", {"a", ""}}, {"_Z4samei", {"one too many"}}});
  EXPECT_EQ(module.kernels[0].name, "vecadd");
  EXPECT_EQ(module.kernels[0].parameters[0].name, "a");
  EXPECT_EQ(module.kernels[0].parameters[1].name, "p1");
  EXPECT_EQ(module.kernels[1].name, "_Z4fillIfEv4PairT_") << "not an identifier: text cubins could not say it";
  EXPECT_EQ(module.kernels[2].name, "_Z4samei") << "two would have one name";
  EXPECT_EQ(module.kernels[3].name, "_Z4samef");
}

TEST(KernelNames, find_a_kernel_by_either_name) {
  Module module;
  module.kernels = {kernel_named("vecadd"), kernel_named("_Z4fillIfEv4PairT_"), kernel_named("_Z4samei"),
                    kernel_named("_Z4samef")};
  EXPECT_EQ(find_kernel(module, "vecadd"), &module.kernels[0]);
  EXPECT_EQ(find_kernel(module, "_Z6vecaddPKfS0_Pfi"), &module.kernels[0]);
  EXPECT_EQ(find_kernel(module, "fill<float>"), &module.kernels[1]);
  EXPECT_EQ(find_kernel(module, "same"), nullptr) << "two of them";
  EXPECT_EQ(find_kernel(module, "same(float)"), &module.kernels[3]);
  EXPECT_EQ(find_kernel(module, "_Z4samef"), &module.kernels[3]);
  EXPECT_EQ(find_kernel(module, ""), nullptr);
}

TEST(KernelNames, blanks_do_not_matter) {
  Module module;
  module.kernels = {kernel_named("_Z4fillIiLi4EEvPT_S0_"), kernel_named("_Z4sameif"), kernel_named("_Z4samef")};
  EXPECT_EQ(find_kernel(module, "fill<int,4>"), &module.kernels[0]);
  EXPECT_EQ(find_kernel(module, "fill< int, 4 >"), &module.kernels[0]);
  EXPECT_EQ(find_kernel(module, "same(int,float)"), &module.kernels[1]);
  EXPECT_TRUE(is_called("_Z4fillIiLi4EEvPT_S0_", "fill<int,4>"));
  EXPECT_FALSE(is_called("_Z4fillIiLi4EEvPT_S0_", "fill<int,5>"));
}

TEST(KernelNames, find_a_kernel_that_is_called_as_it_is_shown) {
  Module module;
  module.kernels = {kernel_named("_Z4fillIfEv4PairT_"), kernel_named("_Z4samei"), kernel_named("_Z4samef"),
                    kernel_named("f")};
  module = with_shown_names(std::move(module));
  EXPECT_EQ(module.kernels[0].name, "fill<float>");
  EXPECT_EQ(module.kernels[2].name, "same(float)");
  EXPECT_EQ(find_kernel(module, "_Z4fillIfEv4PairT_"), &module.kernels[0]);
  EXPECT_EQ(find_kernel(module, "fill<float>"), &module.kernels[0]);
  EXPECT_EQ(find_kernel(module, "_Z4samef"), &module.kernels[2]);
  EXPECT_EQ(find_kernel(module, "same(float)"), &module.kernels[2]);
  EXPECT_EQ(find_kernel(module, "float"), nullptr) << "what a linker would call 'f'";
}

}  // namespace
}  // namespace teslasim::cuda
