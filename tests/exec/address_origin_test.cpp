// SPDX-License-Identifier: Apache-2.0
// Datasheet of which buffer a message about an access outside of all buffers names.
#include "sim/exec/address_origin.h"

#include <gmock/gmock.h>

#include "tests/exec/program.h"

namespace teslasim::exec_test {
namespace {

using ::testing::HasSubstr;

/// 'in' has 256 bytes from 0x1000 on, s[p] is `parameter`, `out` has 128 bytes from 0x1200 on.
std::string place_of_fault(const std::string& body, std::uint32_t parameter = 0x1000) {
  Program program(body + "\nmov.u32 $r3, g[$r4]\nreturn\n");
  (void)program.memory.allocate("in", "f32", 256);
  return program.words(32).parameter(parameter).fault().details.back();
}

TEST(AddressOrigin, is_the_buffer_that_the_code_adds_to) {
  EXPECT_THAT(place_of_fault("mov.b32 $r4, 0x8000\nadd.u32 $r4, s[p], $r4"),
              HasSubstr("0x00009000 = 32512 B after the end of 'in'"));
  EXPECT_THAT(place_of_fault("mov.b32 $r4, 200\nsub.u32 $r4, $r2, $r4"), HasSubstr("200 B before the start of 'out'"));
}

TEST(AddressOrigin, is_found_through_copies_steps_and_products) {
  EXPECT_THAT(place_of_fault("mov.b32 $r5, s[p]\nmov.b32 $r6, 0x3000\nmov.b32 $r7, 2\n"
                             "mad24.lo.u32 $r4, $r6, $r7, $r5\nadd.u32 $r4, $r4, 4"),
              HasSubstr("after the end of 'in'"));
}

TEST(AddressOrigin, of_two_buffers_is_unknown_and_the_one_below_is_named) {
  const std::string either =
      "mov.b32 $r5, 1\nset.eq.u32 $p0|$o127, $r1, $r5\nmov.b32 $r4, s[p]\n"
      "@$p0.ne mov.b32 $r4, s[out]\nmov.b32 $r5, 0x8000\nadd.u32 $r4, $r4, $r5";
  EXPECT_THAT(place_of_fault(either), HasSubstr("after the end of 'out'"));
}

TEST(AddressOrigin, is_no_number_that_happens_to_be_an_address) {
  EXPECT_THAT(place_of_fault("mov.b32 $r4, s[p]\nshl.u32 $r4, $r4, 2\nadd.u32 $r4, $r4, $r2"),
              HasSubstr("after the end of 'out'"));
}

TEST(AddressOrigin, without_one_the_buffer_below_counts_and_null_pointers_are_called_so) {
  EXPECT_THAT(place_of_fault("mov.b32 $r4, 0x11f8"), HasSubstr("248 B after the end of 'in'"));
  EXPECT_THAT(place_of_fault("mov.b32 $r4, 0x0800"), HasSubstr("2048 B before the start of 'in'"));
  EXPECT_THAT(place_of_fault("mov.b32 $r4, 0"), HasSubstr("address 0x00000000 = a null pointer"));
  EXPECT_THAT(place_of_fault("mov.b32 $r4, s[p]\nadd.u32 $r4, $r4, 8", 0), HasSubstr("8 B after a null pointer"));
}

}  // namespace
}  // namespace teslasim::exec_test
