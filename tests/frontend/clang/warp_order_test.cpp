// SPDX-License-Identifier: Apache-2.0
// Datasheet of steps of a warp in shared memory: which accesses LLVM must leave where they are.
#include "frontend/clang/warp_order.h"

#include <gtest/gtest.h>

#include <string>

namespace teslasim::cuda {
namespace {

/// %own is word %i of a shared variable, %other one 16 behind it, %any one that nothing is known of.
std::string kernel_of(const std::string& body) {
  return "@s = internal addrspace(3) global [64 x i32] undef, align 4\n"
         "@r = internal addrspace(3) global [64 x i32] undef, align 4\n"
         "define void @kernel(i32 %i, i64 %j) {\nentry:\n"
         "  %wide = zext i32 %i to i64\n"
         "  %own = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @s, i64 0, i64 %wide\n"
         "  %far = add nsw i32 %i, 16\n"
         "  %far.wide = zext i32 %far to i64\n"
         "  %other = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @s, i64 0, i64 %far.wide\n"
         "  %any = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @s, i64 0, i64 %j\n"
         "  %elsewhere = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @r, i64 0, i64 %far.wide\n" +
         body + "  ret void\n}\n";
}
std::string store_to(const std::string& address, const std::string& word = "") {
  return "  store " + word + "i32 %x, i32 addrspace(3)* %" + address + ", align 4\n";
}
std::string load_from(const std::string& address, const std::string& word = "") {
  return "  %v = load " + word + "i32, i32 addrspace(3)* %" + address + ", align 4\n";
}
const std::string barrier = "  call void @llvm.nvvm.barrier0()\n";

void expect_unchanged(const std::string& body) {
  EXPECT_EQ(with_warp_order(kernel_of(body)), kernel_of(body)) << body;
}

TEST(WarpOrder, AWordOfAnotherLaneIsLoadedBehindTheStore) {
  EXPECT_EQ(with_warp_order(kernel_of(store_to("own") + load_from("other"))),
            kernel_of(store_to("own", "volatile ") + load_from("other", "volatile ")));
}

TEST(WarpOrder, ThroughCastsAndPointersToElements) {
  const std::string casts =
      "  %start = getelementptr inbounds i32, i32 addrspace(3)* %own, i64 4\n"
      "  %floats = bitcast i32 addrspace(3)* %start to float addrspace(3)*\n";
  const auto load = [](const std::string& word) {
    return "  %v = load " + word + "float, float addrspace(3)* %floats, align 4\n";
  };
  EXPECT_EQ(with_warp_order(kernel_of(casts + store_to("own") + load(""))),
            kernel_of(casts + store_to("own", "volatile ") + load("volatile ")));
}

TEST(WarpOrder, BarriersOrderThem) {
  expect_unchanged(store_to("own") + barrier + load_from("other"));
}

TEST(WarpOrder, TheSameWordOtherVariablesAndUnknownWordsAreLeftToLlvm) {
  expect_unchanged(store_to("own") + load_from("own"));
  expect_unchanged(store_to("own") + load_from("elsewhere"));
  expect_unchanged(store_to("own") + load_from("any"));
}

TEST(WarpOrder, LoadsBeforeStoresNeedNothing) {
  expect_unchanged(load_from("other") + store_to("own"));
}

TEST(WarpOrder, VolatileOnesAreOrderedAlready) {
  expect_unchanged(store_to("own", "volatile ") + load_from("other", "volatile "));
}

TEST(WarpOrder, ABlockThatOnlyTheOneAboveLeadsToComesBehindItsStores) {
  const std::string jump = "  br i1 %c, label %next, label %end\n\nnext:                   ; preds = %entry\n";
  const std::string end = "  br label %end\n\nend:                 ; preds = %next, %entry\n";
  EXPECT_EQ(with_warp_order(kernel_of(store_to("own") + jump + load_from("other") + end)),
            kernel_of(store_to("own", "volatile ") + jump + load_from("other", "volatile ") + end));
  expect_unchanged(store_to("own") + jump + end + load_from("other"));  // it may come from both
}

TEST(WarpOrder, ALoopOfOneBlockGoesRoundTwice) {
  const auto loop = [](const std::string& word) {
    return "  br label %turn\n\nturn:         ; preds = %turn, %entry\n" + load_from("other", word) +
           store_to("own", word) + "  br i1 %c, label %turn, label %end\n\nend:        ; preds = %turn\n";
  };
  EXPECT_EQ(with_warp_order(kernel_of(loop(""))), kernel_of(loop("volatile ")));
}

TEST(WarpOrder, CodeWithoutSharedMemoryIsAsItWas) {
  const std::string code = "define void @k(i32* %p) {\n  store i32 1, i32* %p, align 4\n  ret void\n}\n";
  EXPECT_EQ(with_warp_order(code), code);
}

}  // namespace
}  // namespace teslasim::cuda
