// SPDX-License-Identifier: Apache-2.0
// Which memory a pointer leads to, from where it comes.
#include "frontend/compiler/pointer_origins.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;

struct Origins : SmallFunction {
  IrArgument launch_word() {
    IrNode node;
    node.operation = IrOperation::launch_word;
    node.offset = 0x10;
    return ir.add_node(node);
  }
  void store(IrSpace space, const std::vector<IrArgument>& words) {
    IrNode node;
    node.operation = IrOperation::store;
    node.space = space;
    node.arguments = {constant_argument(0)};
    node.arguments.insert(node.arguments.end(), words.begin(), words.end());
    ir.append(node, 0);
  }
  IrArgument shared_pointer() {
    IrNode node;
    node.operation = IrOperation::copy;
    node.origin = IrSpace::shared;
    node.arguments = {unknown()};
    return ir.add_node(node);
  }
};

TEST(PointerOrigins, AParameterPlusAnOffsetComesFromTheLaunch) {
  Origins small;
  const IrArgument address = small.ir.add(small.launch_word(), small.thread());
  const PointerOrigins origins(small.function);
  EXPECT_EQ(0U, origins.of(address)) << "no address of a memory takes part";
  EXPECT_TRUE(origins.from_launch(address));
}

/// A pointer that two ways bring to one place: with itself, or what it moved on to, in a loop.
TEST(PointerOrigins, AParameterThatALoopHandsOnStillComesFromTheLaunch) {
  Origins small;
  const IrArgument first = small.launch_word();
  const IrArgument handed_on = small.ir.emit(IrOperation::phi, {first, first});
  small.function.nodes[small.function.values[handed_on.value].node].arguments[1] = handed_on;
  const IrArgument moved_on = small.ir.emit(IrOperation::phi, {first, first});
  const IrArgument behind = small.ir.add(moved_on, constant_argument(4));
  small.function.nodes[small.function.values[moved_on.value].node].arguments[1] = behind;
  const IrArgument loaded = small.ir.emit(IrOperation::phi, {first, small.unknown()});
  const PointerOrigins origins(small.function);
  EXPECT_TRUE(origins.from_launch(handed_on));
  EXPECT_TRUE(origins.from_launch(behind));
  EXPECT_FALSE(origins.from_launch(loaded));
}

TEST(PointerOrigins, OfWhatWasLoadedNothingIsKnown) {
  Origins small;
  const IrArgument address = small.ir.add(small.unknown(), small.thread());
  const PointerOrigins origins(small.function);
  EXPECT_EQ(0U, origins.of(address));
  EXPECT_FALSE(origins.from_launch(address));
}

TEST(PointerOrigins, AParameterThatIsAnOffsetDoesNotHideTheMemory) {
  Origins small;
  const IrArgument address = small.ir.add(small.shared_pointer(), small.launch_word());
  const PointerOrigins origins(small.function);
  EXPECT_EQ(bit_of(IrSpace::shared), origins.of(address));
}

constexpr IrSpaces shared_or_global = bit_of(IrSpace::shared) | bit_of(IrSpace::global);

TEST(PointerOrigins, AParameterBesideASharedArrayPointsIntoDeviceMemory) {
  Origins small;
  const IrArgument row = small.ir.add(small.launch_word(), small.thread());
  const IrArgument chosen = small.ir.select(small.thread(), row, small.shared_pointer());
  const IrArgument behind = small.ir.add(chosen, constant_argument(4));
  const PointerOrigins origins(small.function);
  EXPECT_EQ(shared_or_global, origins.of(chosen));
  EXPECT_EQ(shared_or_global, origins.of(behind));
}

TEST(PointerOrigins, SoDoesOneThatWasLoadedFromDeviceMemory) {
  Origins small;
  const IrArgument loaded = small.load(IrSpace::generic, small.launch_word());
  const IrArgument chosen = small.ir.select(small.thread(), small.shared_pointer(), loaded);
  EXPECT_EQ(shared_or_global, PointerOrigins(small.function).of(chosen));
}

TEST(PointerOrigins, NumbersOfTheHostAreOffsets) {
  Origins small;
  const IrArgument offset = small.ir.select(small.thread(), small.launch_word(), small.unknown());
  const IrArgument address = small.ir.add(small.shared_pointer(), offset);
  const IrArgument null_or_shared = small.ir.select(small.thread(), address, constant_argument(0));
  EXPECT_EQ(bit_of(IrSpace::shared), PointerOrigins(small.function).of(null_or_shared));
}

TEST(PointerOrigins, ALinkThatWasLoadedFromSharedMemoryMayLeadThere) {
  Origins small;
  const IrArgument first = small.shared_pointer();
  const IrArgument next = small.load(IrSpace::shared, first);
  const IrArgument chosen = small.ir.select(small.thread(), first, next);
  EXPECT_EQ(bit_of(IrSpace::shared), PointerOrigins(small.function).of(chosen));
}

TEST(PointerOrigins, WhatAKernelKeepsInMemoryOfItsOwnComesBackFromThere) {
  for (const IrSpace space : {IrSpace::local, IrSpace::shared}) {
    Origins small;
    small.store(space, {small.shared_pointer(), constant_argument(0)});
    small.store(space, {small.thread()});
    const IrArgument loaded = small.load(space, constant_argument(0));
    EXPECT_EQ(bit_of(IrSpace::shared), PointerOrigins(small.function).of(loaded));
  }
}

TEST(PointerOrigins, OneOfTheHostAmongThemMakesTwoMemories) {
  for (const IrSpace space : {IrSpace::local, IrSpace::shared}) {
    Origins small;
    small.store(space, {small.shared_pointer(), constant_argument(0)});
    small.store(space, {small.launch_word(), small.launch_word()});
    const IrArgument loaded = small.load(space, constant_argument(0));
    EXPECT_EQ(shared_or_global, PointerOrigins(small.function).of(loaded));
  }
}

TEST(PointerOrigins, NumbersOfTheHostInLocalMemoryAreNoPointers) {
  Origins small;
  small.store(IrSpace::local, {small.shared_pointer(), constant_argument(0)});
  small.store(IrSpace::local, {small.launch_word()});
  const IrArgument loaded = small.load(IrSpace::local, constant_argument(0));
  EXPECT_EQ(bit_of(IrSpace::shared), PointerOrigins(small.function).of(loaded));
}

TEST(PointerOrigins, WithoutAPointerNothingIsKnownOfWhatIsLoaded) {
  Origins small;
  small.store(IrSpace::local, {small.launch_word(), small.launch_word()});
  const IrArgument loaded = small.load(IrSpace::local, constant_argument(0));
  EXPECT_EQ(0U, PointerOrigins(small.function).of(loaded));
}

}  // namespace
}  // namespace teslasim::compiler
