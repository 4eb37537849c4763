// SPDX-License-Identifier: Apache-2.0
// Divergent paths, blocks of chosen length, and where blocks run.
.arch sm_10
.equ COUNT, 64
.equ PASSES, 2
.equ PATHS, 2       // different paths that the lanes of a warp take
.equ LONG, 100      // rounds of block 0 (lengths)
.equ SHORT, 10      // rounds of the other blocks

.macro throughput step
.entry throughput_\step
{
  .param ptr out
    mov.b32         $r1, 0x3f800000
    mov.b32         $r2, 0x3f7fff00
    mov.b32         $r3, 0x00000000
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
    and.b32         $r7, $r0, 0x0000001f
    mov.b32         $r8, PATHS-1
    and.b32         $r7, $r7, $r8
again\@:
    \step
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    return
}
.endm

// if (lane % PATHS == path) COUNT multiply-adds
.macro path number
    mov.b32         $r8, \number
    set.eq.u32      $p0|$o127, $r7, $r8
    join.label      skip\@
@$p0.eq bra.label   skip\@
.rept COUNT
    mad.f32         $r4, $r1, $r2, $r3
.endr
skip\@:
    nop.join
.endm

.macro paths
.rept PATHS, number
    path            number
.endr
.endm

throughput paths

// Writes where each block runs (%physid) and when it started.
.macro blocks step
.entry blocks_\step
{
  .param ptr out
    mov.b32         $r7, %clock
    mov.b32         $r6, 1
    \step
again\@:
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    mov.b32         $r8, %physid
    mov.b16         $r3.lo, %ntid.x
    and.b32         $r1, $r0, 0x0000ffff
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1
    shl.u32         $r1, $r1, 3
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r8
    add.u32         $r1, $r1, 4
    mov.u32         g[$r1], $r7
    return
}
.endm
.macro equal
    mov.b32         $r5, LONG
.endm
.macro unequal                   // block 0 takes LONG rounds, the others SHORT
    mov.b32         $r4, %ctaid.x
    mov.b32         $r5, LONG
    mov.b32         $r9, 0
    set.ne.u32      $p0|$o127, $r4, $r9
    mov.b32         $r10, SHORT
@$p0.ne mov.b32     $r5, $r10
.endm

blocks equal
blocks unequal
