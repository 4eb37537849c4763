// SPDX-License-Identifier: Apache-2.0
// Texture memory: pointer chases through a linear one-dimensional image of 32-bit texels. Built like global.asm.
.arch sm_10
.equ COUNT, 16
.equ PASSES, 2
.equ WARM, 1

// The texel at an index holds the next index. WARM rounds of COUNT steps, then PASSES rounds between two reads of the clock.
.macro chase step
.entry chase_\step
{
  .param ptr out
  .param u32 first
    mov.b32         $r6, 1
    mov.b32         $r2, s[first]
    mov.b32         $r5, WARM
warm\@:
.rept COUNT
    \step
.endr
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   warm\@
    mov.b32         $r5, PASSES
    mov.b32         $r7, %clock
again\@:
.rept COUNT
    \step
.endr
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    mov.b32         $r8, %clock
    and.b32         $r1, $r0, 0x0000ffff
    shl.u32         $r1, $r1, 3
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r7
    add.u32         $r1, $r1, 4
    mov.u32         g[$r1], $r8
    return
}
.endm

.macro texel
    tex.1d.b32.s32  {$r2,_,_,_}, $tex0, {$r2}
.endm
chase texel
