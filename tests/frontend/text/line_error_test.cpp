// SPDX-License-Identifier: Apache-2.0
// Wrong lines: the code and the text under the caret.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/text/support.h"

namespace teslasim {
namespace {

using test::line_error;
using ::testing::StartsWith;

struct Wrong {
  const char* line;
  const char* expected;  ///< code and underlined text
};

void expect_all(std::initializer_list<Wrong> rows, unsigned sm = 13) {
  for (const Wrong& row : rows) EXPECT_THAT(line_error(row.line, sm), StartsWith(row.expected)) << row.line;
}

TEST(LineError, words) {
  expect_all({
      {"ad.u32 $r1, $r2, $r3", "ASM-OPCODE 'ad' unknown instruction"},
      {"add.u33 $r1, $r2, $r3", "ASM-OPCODE '.u33' unknown modifier or type"},
      {"add.lt.u32 $r1, $r2, $r3", "ASM-OPCODE '.lt' 'add' has no modifier"},
      {"set.s32 $r1, $r2, $r3", "ASM-OPCODE 'set' 'set' needs a comparison"},
      {"set.leg.s32 $r1, $r2, $r3", "ASM-OPCODE 'set'"},
      {"vote $p1, $p0.ne", "ASM-OPCODE 'vote'"},
      {"bar 0", "ASM-OPCODE 'bar'"},
      {"red.exch.u32 g[$r1], $r2", "ASM-OPERAND 'red'"},
      {"pre.f32 $r1, $r2", "ASM-OPCODE 'pre'"},
      {"cvt.s32.f32 $r1, $r2", "ASM-OPCODE 'cvt'"},
      {"mul.u32 $r1, $r2, $r3", "ASM-OPCODE 'mul' there is no 32-bit integer multiplication"},
      {"exit", "ASM-OPCODE 'exit'"},
  });
}

TEST(LineError, syntax) {
  expect_all({
      {"add.u32 $r1, $r2, $r3 $r4", "ASM-SYNTAX '$'"},
      {"add.u32 $r1, $r2,", "ASM-SYNTAX"},
      {"mov.u32 $r1, g[$r2", "ASM-SYNTAX"},
      {"add. $r1", "ASM-SYNTAX '.'"},
      {"mov.b32 $r1, 12ab", "ASM-SYNTAX '12ab'"},
      {"mov.b32 $r1, 0x", "ASM-SYNTAX '0x'"},
      {"mov.b32 $r1, (1", "ASM-SYNTAX"},
      {"max.f32 $r1, |$r2, $r3", "ASM-SYNTAX"},
      {"bra", "ASM-SYNTAX"},
  });
}

TEST(LineError, registers) {
  expect_all({
      {"mov.b32 $r128, $r1", "ASM-REGISTER '$r128' register number 128 is outside 0 to 127"},
      {"mov.b32 $r1x, $r1", "ASM-REGISTER '$r1x'"},
      {"mov.b32 $q1, $r1", "ASM-REGISTER '$q1' unknown register"},
      {"mov.b32 $r1.mid, $r1", "ASM-REGISTER '.mid'"},
      {"mov.b32 $o3, $r1", "ASM-REGISTER '$o3'"},
      {"mov.b16 $r64.lo, $r1.lo", "ASM-REGISTER '$r64.lo'"},
      {"mov.half.b32 $r64, $r1", "ASM-REGISTER '$r64' the short form cannot name $r64"},
      {"mov.half.b16 $r32.lo, $r1.lo", "ASM-REGISTER '$r32.lo'"},
      {"add.u32 $r70, $r1, 5", "ASM-REGISTER '$r70' the immediate form cannot name"},
      {"mov.b64 $r3, g[$r1]", "ASM-REGISTER '$r3'"},
      {"mov.b128 $r6, g[$r1]", "ASM-REGISTER '$r6'"},
      {"add.rn.f64 $r2, $r5, $r6", "ASM-REGISTER '$r5'"},
      {"mov.b32 $ofs0, 4", "ASM-REGISTER '$ofs0'"},
      {"mov.b32 $r1, s[$ofs5+=4]", "ASM-REGISTER 's[$ofs5+=4]'"},
      {"mov.half.b32 $r1, s[$ofs4+4]", "ASM-REGISTER"},
      {"@$p4.ne mov.b32 $r1, $r2", "ASM-REGISTER"},
  });
}

TEST(LineError, types) {
  expect_all({
      {"add $r1, $r2, $r3", "ASM-TYPE 'add' 'add' needs a type"},
      {"add.u32.u16 $r1, $r2, $r3", "ASM-TYPE '.u16'"},
      {"mov.b16 $r1, $r2", "ASM-TYPE '$r1' a b16 operand is a half register"},
      {"add.u32 $r1, $r2.lo, $r3", "ASM-TYPE '$r2.lo' a u32 operand is a full register"},
      {"mov.b64 $r2, $r4", "ASM-TYPE '.b64'"},
      {"mov.s8 $r1, s[3]", "ASM-TYPE '.s8'"},
      {"mov.b64 s[8], $r2", "ASM-TYPE '.b64'"},
      {"mov.b32 s[8], $r2.lo", "ASM-TYPE '.b32'"},
      {"add.sat.u32 $r1, $r2, $r3", "ASM-TYPE '.u32' saturation is signed"},
      {"mul24.hi.u32.u16.u16 $r1, $r2.lo, $r3.lo", "ASM-TYPE 'mul24'"},
      {"cvt.rn.f64.s16 $r2, $r3.lo", "ASM-TYPE '.f64.s16'"},
      {"set.lt.u32.f32.f64 $r1, $r2, $r4", "ASM-TYPE '.u32.f32.f64'"},
      {"mul24.lo.u32.s32.u32 $r1, $r2, $r3", "ASM-TYPE"},
      {"mad24.lo.sat.u32 $r1, $r2, $r3, $r4", "ASM-TYPE '.u32'"},
      {"atom.add.f32 $r1, g[$r2], $r3", "ASM-TYPE '.f32'"},
      {"atom.min.u64 $r2, g[$r4], $r6", "ASM-TYPE '.u64'"},
      {"and.b16 $r1.lo, $r2.lo, 3", "ASM-TYPE '3'"},
      {"rcp.u32 $r1, $r2", "ASM-TYPE '.u32'"},
      {"slct.u16 $r1, $r2, $r3, $r4", "ASM-TYPE '.u16'"},
  });
}

TEST(LineError, operands) {
  expect_all({
      {"add.u32 $r1, $r2", "ASM-OPERAND 'add' 'add' has 2 operands here, expected 3"},
      {"add.u32 $r1, $r2, $r3, $r4", "ASM-OPERAND '$r4'"},
      {"add.u32 $r1, 5, $r2", "ASM-OPERAND '5' source 1"},
      {"add.u32 $r1, $r2, s[4]", "ASM-OPERAND 's[4]' source 2"},
      {"add.u32 $r1, c1[4], $r2", "ASM-OPERAND 'c1[4]' source 1"},
      {"mad.f32 $r1, $r2, c1[4], c1[8]", "ASM-OPERAND 'c1[8]' only one operand can be c[]"},
      {"add.u32 $r1, s[4], c1[$ofs1+4]", "ASM-OPERAND 'c1[$ofs1+4]' only the first memory operand"},
      {"add.half.u32 $r1, s[4], c1[4]", "ASM-OPERAND 'c1[4]' the short form cannot hold s[] and c[]"},
      {"set.lt.s32 $r1, $r2, 4", "ASM-OPERAND '4'"},
      {"rcp.f32 $r1, s[4]", "ASM-OPERAND 's[4]'"},
      {"mov.u32 $r1, g[$r2+4]", "ASM-OPERAND '+' g[] has no offset"},
      {"mov.u32 $r1, l[$r2]", "ASM-OPERAND '$r2'"},
      {"mov.b32 $r1, s[$r2]", "ASM-OPERAND '$r2'"},
      {"mov.b32 $r1, q[4]", "ASM-OPERAND 'q'"},
      {"mov.b32 $r1, c16[4]", "ASM-OPERAND 'c16'"},
      {"mov.b32 $r1, %tid.x", "ASM-OPERAND '%tid.x'"},
      {"add.f32 $r1, $r2, 2", "ASM-OPERAND '2' a whole number in a floating-point instruction"},
      {"add.u32 $r1, -$r2, $r3", "ASM-OPERAND '-$r2'"},
      {"add.f32 $r1, |$r2|, $r3", "ASM-OPERAND '|$r2|'"},
      {"add.u32 -$r1, $r2, $r3", "ASM-OPERAND '-$r1' a destination has no sign"},
      {"mov.b8.b16 -s[0x10], $r8.lo", "ASM-OPERAND '-s[0x10]' a destination has no sign"},
      {"mov.u32 -g[$r1], $r2", "ASM-OPERAND '-g[$r1]' a destination has no sign"},
      {"red.add.u32 -g[$r1], $r2", "ASM-OPERAND '-g[$r1]' a destination has no sign"},
      {"mov.u32 g[$r1], 5", "ASM-OPERAND '5' only a register can be stored"},
      {"mov.b32 $p0|$ofs1, $r2", "ASM-OPERAND '$p0|' 'movsh' does not write flags"},
      {"mad.half.f32 $r1, $r2, $r3, $r4", "ASM-OPERAND '$r4'"},
      {"@$p0.nq mov.b32 $r1, $r2", "ASM-OPERAND '.nq'"},
      {"@$p0.ne call x", "ASM-OPERAND '@$p0.ne' 'call' ignores its predicate"},
      {"@$p0.ne vote.any $p1, $p0.ne", "ASM-OPERAND"},
      {"vote.any $p1, $p0", "ASM-OPERAND"},
      {"@$p1.ne addc.u32 $r1, $r2, $r3, $p0", "ASM-OPERAND '$p0'"},
      {"@$p1.ne mov.b32 $r1, $p0", "ASM-OPERAND '$p0'"},
      {"mad.rz.f32 $r1, $r2, $r3, $r4", "ASM-OPERAND 'mad'"},
      {"add.rm.f32 $r1, $r2, $r3", "ASM-OPERAND 'add'"},
      {"add.join.end.u32 $r1, $r2, $r3", "ASM-OPERAND"},
      {"mov.lock.b32 $r1, s[4]", "ASM-OPERAND"},
      {"tex.2d.b32.f32 {$r4,_,$r7,_}, $tex0, {$r4,$r5}", "ASM-OPERAND '{$r4,_,$r7,_}'"},
      {"tex.2d.b32.f32 {$r4,_,_,_}, $tex0, {$r4}", "ASM-OPERAND '{$r4}'"},
      {"tex.2d.b32.f32 {$r4,_,_,_}, $tex0, {$r6,$r7}", "ASM-OPERAND '{$r6,$r7}'"},
      {"mov.b32 $r1, $tex0", "ASM-OPERAND '$tex0'"},
  });
}

TEST(LineError, ranges) {
  expect_all(
      {
          {"add.u32 $r1, s[0x80], $r2", "ASM-RANGE 's[0x80]'"},
          {"add.half.u32 $r1, s[0x40], $r2", "ASM-RANGE 's[0x40]'"},
          {"add.u32 $r1, $r2, c1[0x200]", "ASM-RANGE 'c1[0x200]'"},
          {"add.half.u32 $r1, $r2, c2[0]", "ASM-RANGE 'c2[0]'"},
          {"add.u32 $r1, s[2], $r2", "ASM-RANGE 's[2]' offset 0x2 is not a multiple of 4"},
          {"add.u32 $r1, $r2, 0x100000000", "ASM-RANGE '0x100000000'"},
          {"add.u16 $r1.lo, $r2.lo, 65536", "ASM-RANGE '65536'"},
          {"shl.u32 $r1, $r2, 128", "ASM-RANGE '128'"},
          {"movsh.b32 $ofs1, $r1, 16", "ASM-RANGE '16'"},
          {"mov.b32 $ofs1, 65536", "ASM-RANGE '65536'"},
          {"mov.b32 $r1, s[65536]", "ASM-RANGE '65536'"},
          {"mov.b32 $r1, s[$ofs1+=64]", "ASM-RANGE 's[$ofs1+=64]'"},
          {"bar.sync 16", "ASM-RANGE '16'"},
          {"bra 0x1000000", "ASM-RANGE '0x1000000'"},
          {"bra 0x2", "ASM-ALIGN '0x2'"},
          {"mov.b32 $r1, 1/0", "ASM-RANGE '/'"},
          {"mov.b32 $r1, 1<<64", "ASM-RANGE '<<'"},
          {"mov.b32 $r1, 1e39f", "ASM-RANGE '1e39f'"},
      },
      10);
}

TEST(LineError, forms) {
  expect_all({
      {"set.half.lt.s32 $r1, $r2, $r3", "ASM-FORM 'set' 'set' has no short form"},
      {"@$p0.ne add.half.u32 $r1, $r2, $r3", "ASM-FORM '@$p0.ne' the short form cannot be predicated"},
      {"@$p0.ne add.u32 $r1, $r2, 5", "ASM-FORM '@$p0.ne' the immediate form cannot be predicated"},
      {"add.u32 $p0|$r1, $r2, 5", "ASM-FORM '$p0|' the immediate form cannot write flags"},
      {"add.join.u32 $r1, $r2, 5", "ASM-FORM 'add' the immediate form has no .join"},
      {"bra.join 0x10", "ASM-FORM 'bra' the control form has no .join"},
      {"addc.u32 $r1, $r2, 5, $p1", "ASM-FORM 'addc'"},
      {"mov.b32 $o127, 5", "ASM-OPERAND '$o127'"},
  });
}

TEST(LineError, levels) {
  expect_all({{"vote.any $p1, $p0.ne", "ISA-LEVEL 'vote' 'vote' first appears in sm_12"},
              {"red.add.u32 g[$r1], $r2", "ISA-LEVEL 'red'"},
              {"add.rn.f64 $r2, $r4, $r6", "ISA-LEVEL 'add'"},
              {"mul.sat.f32 $r1, $r2, $r3", "ISA-LEVEL 'mul'"}},
             10);
  EXPECT_EQ(line_error("red.add.u32 g[$r1], $r2", 11), "");
  EXPECT_THAT(line_error("red.add.u64 g[$r1], $r2", 11), StartsWith("ISA-LEVEL"));
}

}  // namespace
}  // namespace teslasim
