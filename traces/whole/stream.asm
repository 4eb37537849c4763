// SPDX-License-Identifier: Apache-2.0
// Reads alone and writes alone. T threads, four rows of T words in every pass; neighbouring threads have neighbouring words.

// $r1 = thread of the grid, $r2 = bytes of a row.
.macro place
    mov.b16         $r0.hi, %ntid.x
    cvt.u32.u16     $r1, $r0.lo
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r0.hi, $r1
    mul24.lo.u32.u16.u16 $r2, %nctaid.x, $r0.hi
    shl.u32         $r2, $r2, 2
.endm

.macro next_pass
    add.b32         $r4, $r4, 0xffffffff
    cvt.u32.u32     $p0|$o127, $r4
@$p0.ne bra.label   again
.endm

.entry stream_read                                  // out[t] = sum of column t
{
  .param ptr in
  .param ptr out
  .param u32 passes
    place
    shl.u32         $r0, $r1, 2
    add.u32         $r1, s[in], $r0
    mov.b32         $r3, 0
    mov.b32         $r4, s[passes]
again:
    add.half.b32    $r5, $r1, $r2
    add.half.b32    $r6, $r5, $r2
    add.u32         $r7, $r6, $r2
    mov.u32         $r8, g[$r1]
    mov.u32         $r5, g[$r5]
    mov.u32         $r6, g[$r6]
    add.u32         $r1, $r7, $r2
    mov.u32         $r7, g[$r7]
    add.half.b32    $r3, $r3, $r8
.rept 3, i
    add.half.b32    $r3, $r3, $r(5+i)
.endr
    next_pass
    add.u32         $r0, s[out], $r0
    mov.end.u32     g[$r0], $r3
}

.entry stream_write                                 // row j holds first + j
{
  .param ptr out
  .param u32 first
  .param u32 passes
    place
    shl.u32         $r1, $r1, 2
    add.u32         $r1, s[out], $r1
    mov.b32         $r3, s[first]
    mov.b32         $r4, s[passes]
again:
    mov.u32         g[$r1], $r3
    add.half.b32    $r5, $r1, $r2
    add.half.b32    $r6, $r5, $r2
    add.b32         $r7, $r3, 1
    mov.u32         g[$r5], $r7
    add.b32         $r7, $r3, 2
    mov.u32         g[$r6], $r7
    add.half.b32    $r6, $r6, $r2
    add.half.b32    $r1, $r6, $r2
    add.b32         $r7, $r3, 3
    mov.u32         g[$r6], $r7
    add.b32         $r3, $r3, 4
    next_pass
    return
}
