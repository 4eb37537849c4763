// SPDX-License-Identifier: Apache-2.0
// c = a * b, one thread per element of c, everything read from global memory.
// a has k columns, b and c have n columns; all extents are multiples of the block.
.entry matmul_naive
{
  .param ptr a
  .param ptr b
  .param ptr c
  .param u32 k
  .param u32 n

    and.b32         $r1, $r0, 0x0000ffff            // thread index x
    shr.u32         $r2, $r0, 16                    // thread index y
    mov.b16         $r3.lo, %ntid.x
    mov.b16         $r3.hi, %ntid.y
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1   // column
    mad24.lo.u32.u16.u16.u32 $r2, %ctaid.y, $r3.hi, $r2   // row

    mul24.lo.u32    $r4, s[k], $r2
    shl.u32         $r4, $r4, 2
    add.u32         $r4, s[a], $r4                  // a[row][0]
    mov.b32         $r5, s[k]
    shl.u32         $r5, $r5, 2
    add.u32         $r5, $r4, $r5                   // a[row][k]: the end of the row
    shl.u32         $r6, $r1, 2
    add.u32         $r6, s[b], $r6                  // b[0][column]
    mov.b32         $r7, s[n]
    shl.u32         $r7, $r7, 2                     // bytes from one row of b to the next
    mov.b32         $r8, 0x00000000                 // sum

step:
    mov.u32         $r9, g[$r4]                     // the same word for a whole row of threads
    mov.u32         $r10, g[$r6]                    // consecutive words
    add.u32         $r4, $r4, 4
    add.u32         $r6, $r6, $r7
    mad.f32         $r8, $r9, $r10, $r8
    set.ne.u32      $p0|$o127, $r4, $r5
@$p0.ne bra.label step

    mad24.lo.u32    $r2, s[n], $r2, $r1             // row * n + column
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[c], $r2
    mov.u32         g[$r2], $r8
    return
}
