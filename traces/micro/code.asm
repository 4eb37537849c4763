// SPDX-License-Identifier: Apache-2.0
// Instruction fetch: straight code of COUNT instructions, and blocks of code BLOCK instructions apart that jump to each other.
.arch sm_10
.equ COUNT, 64
.equ PASSES, 2
.equ BLOCKS, 4      // blocks before the last one
.equ BLOCK, 32      // instructions from one block to the next (8 bytes each), at least 2

.macro start
    mov.b32         $r1, 0x3f800000
    mov.b32         $r2, 0x3f7fff00
    mov.b32         $r3, 0x00000000
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
.endm

.macro throughput step
.entry throughput_\step
{
  .param ptr out
    start
again\@:
    \step
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    return
}
.endm

.macro straight                  // independent multiply-adds
.rept COUNT
    mad.f32         $r4, $r1, $r2, $r3
.endr
.endm

.macro jump
    bra.label       next\@
.rept BLOCK-1
    mad.f32         $r4, $r1, $r2, $r3
.endr
next\@:
.endm

.macro jumps                     // the last jump leads past the set of the others, to the end of the loop
.rept BLOCKS
    jump
.endr
    bra.label       next\@
.rept BLOCK+63
    mad.f32         $r4, $r1, $r2, $r3
.endr
next\@:
.endm

throughput straight
throughput jumps
