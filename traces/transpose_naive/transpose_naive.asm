// SPDX-License-Identifier: Apache-2.0
// out = transposed in, straight through registers. Reads go along rows and coalesce; writes go down a column, so that
// every lane of a half-warp hits its own memory segment.
// Blocks of 16x16 threads; width and height are multiples of 16.
.entry transpose_naive
{
  .param ptr in
  .param ptr out
  .param u32 width
  .param u32 height

    and.b32         $r1, $r0, 0x0000ffff            // thread index x
    shr.u32         $r2, $r0, 16                    // thread index y
    mov.b16         $r3.lo, %ntid.x
    mov.b16         $r3.hi, %ntid.y
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1   // column of in
    mad24.lo.u32.u16.u16.u32 $r2, %ctaid.y, $r3.hi, $r2   // row of in

    mad24.lo.u32    $r4, s[width], $r2, $r1
    shl.u32         $r4, $r4, 2
    add.u32         $r4, s[in], $r4
    mov.u32         $r4, g[$r4]                     // in[row][column]
    mad24.lo.u32    $r5, s[height], $r1, $r2
    shl.u32         $r5, $r5, 2
    add.u32         $r5, s[out], $r5
    mov.u32         g[$r5], $r4                     // out[column][row]
    return
}
