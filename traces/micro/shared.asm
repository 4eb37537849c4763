// SPDX-License-Identifier: Apache-2.0
// Shared memory: latency and throughput by conflict degree. Lane l reads word l * STRIDE. Built like alu.asm.
.arch sm_10
.equ COUNT, 64
.equ PASSES, 2
.equ STRIDE, 1     // words between neighbouring lanes
.equ OTHERS, 1     // additions of registers beside one with a shared operand (mixture)

.macro start
    mov.b32         $r1, 0x3f800000
    mov.b32         $r2, 0x3f7fff00
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
    and.b32         $r3, $r0, 0x0000001f
    mov.b32         $r4, STRIDE
    mul24.lo.u32    $r3, $r3, $r4
    movsh.b32       $ofs1, $r3, 2
    add.b32         $ofs1, $ofs1, words
.endm

.macro latency step
.entry latency_\step
{
  .param ptr out
  .shared words, 4096
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
    and.b32         $r1, $r0, 0x0000ffff
    shl.u32         $r1, $r1, 3
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r7
    add.u32         $r1, $r1, 4
    mov.u32         g[$r1], $r8
    return
}
.endm

.macro throughput step
.entry throughput_\step
{
  .param ptr out
  .shared words, 4096
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

// The same in a loop as compilers close it: subtraction, comparison, branch.
.macro compiled step
.entry compiled_\step
{
  .param ptr out
  .shared words, 4096
    start
again\@:
.rept COUNT
    \step
.endr
    sub.u32         $r5, $r5, $r6
    set.ne.u32      $p1|$o127, $r5, $r124   // $r124 is 0
@$p1.ne bra.label   again\@
    return
}
.endm

.macro register_add              // what is left when the shared operand is taken away
    add.f32         $r1, $r1, $r2
.endm
.macro register_add_1
    add.f32         $r1, $r1, $r1
.endm
.macro shared_add                // each needs the one before
    add.f32         $r1, s[$ofs1], $r1
.endm
.macro shared_absolute           // the same without address register: one word for all lanes
    add.f32         $r1, s[0x0018], $r1
.endm
.macro shared_uniform            // the same word through an address register
    add.f32         $r1, s[$ofs2+0x0018], $r1
.endm
.macro shared_free               // no result is needed
    mov.b32         $r3, s[$ofs1]
.endm
.macro shared_mad                // a multiply-add with one operand in shared memory
    mad.f32         $r3, s[$ofs1], $r1, $r2
.endm
.macro shared_among_adds         // no result is needed (E31)
    add.f32         $r3, s[$ofs1], $r2
.rept OTHERS
    add.f32         $r3, $r1, $r2
.endr
.endm
.macro shared_store
    mov.b32         s[$ofs1], $r2
.endm

latency register_add
latency register_add_1
latency shared_add
latency shared_absolute
latency shared_uniform
throughput shared_add
throughput shared_free
throughput shared_store
throughput shared_mad
compiled shared_add
compiled shared_free
throughput shared_among_adds
