// SPDX-License-Identifier: Apache-2.0
// Texture memory: pointer chases through a linear one-dimensional image of 32-bit texels, and reads of a data set of any size
// (cachebench, Konstantinidis 2017, appendix B.1). Built like global.asm.
.arch sm_10
.equ COUNT, 16
.equ PASSES, 2
.equ WARM, 1
.equ LOADS, 4       // independent texels of a round (cache)

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

// Each thread reads LOADS texels in a round, a block of threads apart, and begins again at the end of the data set, over
// which blocks are spread.
.macro cache step
.entry cache_\step
{
  .param ptr out
  .param u32 mask          // texels of the data set, less one
  .param u32 spread        // texels from one block to the next
    mov.u32.u16     $r2, %ntid.x
    mov.u32.u16     $r3, %ctaid.x
    mov.b32         $r4, s[spread]
    mul24.lo.u32    $r3, $r3, $r4
    and.b32         $r1, $r0, 0x0000ffff
    add.u32         $r1, $r1, $r3
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
again\@:
.rept LOADS, i
    and.b32         $r1, s[mask], $r1
    mov.b32         $r(8+4*i), $r1
    \step           $r(8+4*i)
    add.u32         $r1, $r1, $r2
.endr
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
.rept LOADS, i
    mov.b32         $r7, $r(8+4*i)
.endr
    return
}
.endm
.macro texels to
    tex.1d.b32.s32  {\to,_,_,_}, $tex0, {\to}
.endm
cache texels
