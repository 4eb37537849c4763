// SPDX-License-Identifier: Apache-2.0
// After mixbench and cachebench (Konstantinidis 2017, appendices A and B): arithmetic mixed with reads of device memory in
// any proportion, and reads of a data set of any size through the texture caches.
.arch sm_10
.equ PASSES, 2
.equ LOADS, 4            // independent words of a round
.equ MADS, 4             // multiply-adds on each word in a step
.equ STEPS, 1            // of MADS on each word

// Each thread reads LOADS words of a round, a round of the grid apart, and does STEPS * MADS multiply-adds on each.
.macro mix step
.entry mix_\step
{
  .param ptr out
  .param u32 data
  .param u32 round         // bytes that all threads read in a round
    mov.b16         $r3.lo, %ntid.x
    and.b32         $r1, $r0, 0x0000ffff
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1
    shl.u32         $r1, $r1, 2
    add.u32         $r1, s[data], $r1
    mov.b32         $r2, s[round]
    mov.b32         $r3, 0x3f800000
    mov.b32         $r4, 0x3f7fff00
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
again\@:
.rept LOADS, i
    mov.u32         $r(8+i), g[$r1]
    add.u32         $r1, $r1, $r2
.endr
    mov.b32         $r7, STEPS
more\@:
.rept MADS
    \step
.endr
    sub.u32         $p1|$r7, $r7, $r6
@$p1.ne bra.label   more\@
.rept LOADS, i
    mov.b32         $r7, $r(8+i)            // a word that no multiply-add used is waited for too
.endr
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    return
}
.endm
.macro mads
.rept LOADS, i
    mad.f32         $r(8+i), $r(8+i), $r3, $r4
.endr
.endm
mix mads

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
