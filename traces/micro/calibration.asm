// SPDX-License-Identifier: Apache-2.0
// What `teslasim calibrate` measures beside the published experiments: the rates of Konstantinidis 2017 (appendix A) and
// the departure delays of Hong & Kim 2009. Built like alu.asm.
.arch sm_10
.equ COUNT, 4
.equ PASSES, 2
.equ LOADS, 4
.equ STORES, 4      // beside them (mixed)

.macro start
    mov.b32         $r1, 0x3f800000
    mov.b32         $r2, 0x3f7fff00
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
    and.b32         $r3, $r0, 0x0000001f
    movsh.b32       $ofs1, $r3, 2
    add.b32         $ofs1, $ofs1, words
.endm

.macro throughput step
.entry throughput_\step
{
  .param ptr out
  .shared words, 256
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

// Sixteen independent chains (A.2).
.macro mad_chains
.rept 16, i
    mad.f32         $r(8+i), $r(8+i), $r1, $r2
.endr
.endm
.macro mad24_chains
.rept 16, i
    mad24.lo.u32    $r(8+i), $r(8+i), $r1, $r2
.endr
.endm
.macro add_chains
.rept 16, i
    add.u32         $r(8+i), $r(8+i), $r1
.endr
.endm
// Two words change places (A.4): two loads, two stores.
.macro swap
    mov.b32         $r8, s[$ofs1]
    mov.b32         $r9, s[$ofs1+64]
    mov.b32         s[$ofs1], $r9
    mov.b32         s[$ofs1+64], $r8
.endm
// A constant for all lanes, in the first-level cache.
.macro constant_chains
.rept 16, i
    mov.b32         $r(8+i), c0[4*i]
.endr
.endm

throughput mad_chains
throughput mad24_chains
throughput add_chains
throughput swap
throughput constant_chains

// Each thread touches LOADS words per round, a round of the grid apart (A.3).
.macro traffic step
.entry traffic_\step
{
  .param ptr out
  .param u32 from
  .param u32 to
  .param u32 round         // bytes that all threads touch in a round
  .param u32 spread        // logarithm of the bytes between neighbouring threads
    mov.b16         $r3.lo, %ntid.x
    and.b32         $r1, $r0, 0x0000ffff
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1
    mov.b32         $r4, s[spread]
    shl.u32         $r1, $r1, $r4
    add.u32         $r7, s[to], $r1
    add.u32         $r1, s[from], $r1
    mov.b32         $r2, s[round]
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
again\@:
    \step
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    return
}
.endm
.macro reads
.rept LOADS, i
    mov.u32         $r(8+i), g[$r1]
    add.u32         $r1, $r1, $r2
.endr
.endm
.macro writes
.rept LOADS, i
    mov.u32         g[$r7], $r6
    add.u32         $r7, $r7, $r2
.endr
.endm
.macro copies
.rept LOADS, i
    mov.u32         $r(8+i), g[$r1]
    add.u32         $r1, $r1, $r2
.endr
.rept LOADS, i
    mov.u32         g[$r7], $r(8+i)
    add.u32         $r7, $r7, $r2
.endr
.endm
.macro mixed
.rept LOADS, i
    mov.u32         $r(8+i), g[$r1]
    add.u32         $r1, $r1, $r2
.endr
.rept STORES
    mov.u32         g[$r7], $r6
    add.u32         $r7, $r7, $r2
.endr
.endm
traffic reads
traffic writes
traffic copies
traffic mixed
