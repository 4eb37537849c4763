// SPDX-License-Identifier: Apache-2.0
// Device memory: pointer chases, several loads of one thread in flight, copies with offset and stride, streams of reads.
.arch sm_10
.equ COUNT, 16
.equ PASSES, 2
.equ WARM, 1
.equ LOADS, 4       // independent loads per thread (in_flight, stream)
.equ MADS, 4        // multiply-adds on each word in a step (stream mads)
.equ STEPS, 1       // of MADS on each word

.macro store_clocks
    and.b32         $r1, $r0, 0x0000ffff
    shl.u32         $r1, $r1, 3
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r7
    add.u32         $r1, $r1, 4
    mov.u32         g[$r1], $r8
.endm

// The word at an address is the address of the next one. WARM rounds of COUNT steps, then PASSES rounds between two clocks.
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
    store_clocks
    return
}
.endm

.macro pointer
    mov.u32         $r2, g[$r2]
.endm
chase pointer

// LOADS loads of different lines by one thread, then all results are used.
.macro in_flight step
.entry in_flight_\step
{
  .param ptr out
  .param u32 data
    mov.b32         $r6, 1
    mov.b32         $r1, s[data]
    mov.b32         $r5, PASSES
again\@:
    bar.sync        0
    mov.b32         $r7, %clock
.rept LOADS, i
    mov.u32         $r(16+i), g[$r1]
    add.u32         $r1, $r1, 2048
.endr
.rept LOADS, i
    mov.b32         $r3, $r(16+i)
.endr
    mov.b32         $r8, %clock
    bar.sync        0
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    store_clocks
    return
}
.endm
.macro loads
.endm
in_flight loads

// out2[i * stride + offset] = in[i * stride + offset], one element per thread (BPG: offsetCopy, strideCopy).
.macro copy step
.entry copy_\step
{
  .param ptr out
  .param u32 from
  .param u32 to
  .param u32 stride        // bytes between neighbouring threads
  .param u32 offset        // bytes
    mov.b16         $r3.lo, %ntid.x
    and.b32         $r1, $r0, 0x0000ffff
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1
    mov.b32         $r2, s[stride]
    mul24.lo.u32    $r1, $r1, $r2
    add.u32         $r1, s[offset], $r1
    add.u32         $r2, s[from], $r1
    \step
    return
}
.endm
.macro words
    mov.u32         $r4, g[$r2]
    add.u32         $r1, s[to], $r1
    mov.u32         g[$r1], $r4
.endm
.macro read_u8
    mov.u8          $r4, g[$r2]
.endm
.macro read_u16
    mov.u16         $r4, g[$r2]
.endm
.macro read_b32
    mov.u32         $r4, g[$r2]
.endm
.macro read_b64
    mov.b64         $r4, g[$r2]
.endm
.macro read_b128
    mov.b128        $r4, g[$r2]
.endm
copy words
copy read_u8
copy read_u16
copy read_b32
copy read_b64
copy read_b128

// Each thread reads LOADS words; neighbouring threads read neighbouring words, a round of the grid apart. `mads` then does
// STEPS * MADS multiply-adds on each: arithmetic and reads in any proportion (mixbench, Konstantinidis 2017, appendix A).
.macro stream step
.entry stream_\step
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
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
again\@:
.rept LOADS, i
    mov.u32         $r(8+i), g[$r1]
    add.u32         $r1, $r1, $r2
.endr
    \step
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    return
}
.endm
.macro reads
.endm
.macro mads
    mov.b32         $r3, 0x3f800000
    mov.b32         $r4, 0x3f7fff00
    mov.b32         $r7, STEPS
more\@:
.rept MADS
.rept LOADS, i
    mad.f32         $r(8+i), $r(8+i), $r3, $r4
.endr
.endr
    sub.u32         $p1|$r7, $r7, $r6
@$p1.ne bra.label   more\@
.endm
stream reads
stream mads

// Lanes load words of SPREAD bytes distance, of which `mask` says how many differ; a word is its own address (E16).
.equ SPREAD, 128

.macro fan step
.entry fan_\step
{
  .param ptr out
  .param u32 data
  .param u32 mask
    mov.b32         $r6, 1
    and.b32         $r1, $r0, 0x0000ffff
    and.b32         $r1, s[mask], $r1
    mov.b32         $r2, SPREAD
    mul24.lo.u32    $r1, $r1, $r2
    add.u32         $r2, s[data], $r1
    mov.b32         $r5, WARM
warm\@:
.rept COUNT
    \step
.endr
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   warm\@
    mov.b32         $r5, PASSES
    bar.sync        0
    mov.b32         $r7, %clock
again\@:
.rept COUNT
    \step
.endr
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    bar.sync        0
    mov.b32         $r8, %clock
    store_clocks
    return
}
.endm

// Half-warps read 16 neighbouring words, each in a row of its own of a matrix: a strip of columns. LOADS strips per round.
.macro columns step
.entry columns_\step
{
  .param ptr out
  .param u32 data
  .param u32 pitch         // bytes of a row
    mov.b16         $r3.lo, %ntid.x
    and.b32         $r1, $r0, 0x0000ffff
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1
    and.b32         $r2, $r1, 0x0000000f
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[data], $r2
    shr.u32         $r1, $r1, 4
    mov.b32         $r3, s[pitch]
    mul24.lo.u32    $r1, $r1, $r3
    add.u32         $r1, $r2, $r1
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
again\@:
.rept LOADS, i
    mov.u32         $r(8+i), g[$r1]
    add.u32         $r1, $r1, 64
.endr
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    return
}
.endm

fan pointer
columns reads
