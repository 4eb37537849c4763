// SPDX-License-Identifier: Apache-2.0
// Constant memory: operands by the number of distinct addresses, and pointer chases through the caches. Built like alu.asm.
.arch sm_10
.equ COUNT, 64
.equ PASSES, 2
.equ WARM, 2        // rounds before the clock is read (chase)
.equ DISTINCT, 1    // different words that the lanes of a half-warp read (a power of two)

.macro start
    mov.b32         $r1, 0x3f800000
    mov.b32         $r2, 0x3f7fff00
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
    and.b32         $r3, $r0, DISTINCT-1
    movsh.b32       $ofs1, $r3, 2
.endm

.macro store_clocks
    and.b32         $r1, $r0, 0x0000ffff
    shl.u32         $r1, $r1, 3
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r7
    add.u32         $r1, $r1, 4
    mov.u32         g[$r1], $r8
.endm

.macro latency step
.entry latency_\step
{
  .param ptr out
    start
again\@:
    bar.sync        0
    mov.b32         $r7, %clock
.rept COUNT
    \step
.endr
    mov.b32         $r8, %clock
    bar.sync        0
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    store_clocks
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
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    return
}
.endm

// WARM rounds of COUNT steps, then PASSES rounds between two reads of the clock.
.macro chase step
.entry chase_\step
{
  .param ptr out
    start
    mov.b32         $ofs1, 0
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
    store_clocks
    return
}
.endm

.macro register_add_1
    add.f32         $r1, $r1, $r1
.endm
.macro constant_add
    add.f32         $r1, $r1, c0[$ofs1]
.endm
.macro constant_free
    add.f32         $r3, $r2, c0[$ofs1]
.endm
.macro pointer                   // the word is the byte offset of the next one
    mov.b32         $r1, c0[$ofs1]
    movsh.b32       $ofs1, $r1, 0
.endm
.macro no_pointer                // the same without the access
    mov.b32         $r1, $r1
    movsh.b32       $ofs1, $r1, 0
.endm

latency register_add_1
latency constant_add
throughput constant_free
chase pointer
chase no_pointer
