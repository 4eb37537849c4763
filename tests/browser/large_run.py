# SPDX-License-Identifier: Apache-2.0
"""A kernel of any number of instructions without loops, and a launch of it: what a long listing is made of."""

HEAD = """\
.entry large
{
  .param ptr in
  .shared data, 8 * 64
    and.b32 $r1, $r0, 0x0000ffff
    shl.u32 $r2, $r1, 2
    add.u32 $r2, s[in], $r2
    movsh.b32 $ofs1, $r1, 3
"""
GROUP = """\
    add.u32 $r2, $r2, 4
    mov.u32 $r3, g[$r2]
    mad.f32 $r4, $r3, $r4, $r3
    mov.b32 s[$ofs1+data], $r4
    add.f32 $r5, s[$ofs1+data], $r4
    rcp.f32 $r6, $r5
    set.lt.u32 $p0|$o127, $r1, $r5
    join.label l{0}
@$p0.ne bra.label l{0}
    mul24.lo.u32 $r7, $r6, $r1
    add.u32 $r7, $r7, {0}
    xor.b32 $r7, $r7, $r6
l{0}:
    nop.join
    add.f32 $r4, $r4, $r7
    add.f32 $r5, $r5, $r4
    and.b32 $r8, $r7, 0x0000000f
"""
HEAD_SIZE, GROUP_SIZE = 4, 16
LAUNCH = """\
schema = "teslasim.launch/1"
kernel = "large"
grid = [{0}]
block = [64]
param = [{{ name = "in", type = "f32", count = 4096, init = "random", seed = 1, range = [1.0, 2.0] }}]
"""


def assembly(instructions):
    groups = (instructions - HEAD_SIZE - 1) // GROUP_SIZE
    rest = instructions - HEAD_SIZE - 1 - groups * GROUP_SIZE
    return HEAD + "".join(map(GROUP.format, range(groups))) + "    nop\n" * rest + "    return\n}\n"


def launch(blocks):
    return LAUNCH.format(blocks)
