// SPDX-License-Identifier: Apache-2.0
// Double-precision multiply-add: latency and throughput. Built like alu.asm.
.arch sm_13
.equ COUNT, 64
.equ PASSES, 2

.macro start
    mov.b32         $r2, 0x00000000
    mov.b32         $r3, 0x3ff00000
    mov.b32         $r4, 0x00000000
    mov.b32         $r5, 0x3fe00000
    mov.b32         $r6, 0x00000000
    mov.b32         $r7, 0x3fd00000
    mov.b32         $r12, PASSES
    mov.b32         $r13, 1
.endm

.macro latency step
.entry latency_\step
{
  .param ptr out
    start
again\@:
    bar.sync        0
    mov.b32         $r10, %clock
.rept COUNT
    \step
.endr
    mov.b32         $r11, %clock
    bar.sync        0
    sub.u32         $p1|$r12, $r12, $r13
@$p1.ne bra.label   again\@
    and.b32         $r1, $r0, 0x0000ffff
    shl.u32         $r1, $r1, 3
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r10
    add.u32         $r1, $r1, 4
    mov.u32         g[$r1], $r11
    return
}
.endm

.macro throughput step
.entry throughput_\step
{
  .param ptr out
    start
again\@:
.rept COUNT
    \step
.endr
    sub.u32         $p1|$r12, $r12, $r13
@$p1.ne bra.label   again\@
    return
}
.endm

.macro fma_1
    mad.rn.f64      $r2, $r2, $r2, $r2
.endm
.macro fma_2
    mad.rn.f64      $r2, $r2, $r4, $r2
.endm
.macro fma_3
    mad.rn.f64      $r2, $r2, $r4, $r6
.endm

latency fma_1
latency fma_2
latency fma_3
throughput fma_2
