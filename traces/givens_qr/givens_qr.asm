// SPDX-License-Identifier: Apache-2.0
// R of a QR factorisation by Givens rotations, one small matrix per block, one column per thread (Ye 2009, algorithm 3 and
// appendix B.2): from the first column to the last, from the last row up, each element below the diagonal is rotated away
// with the one above it. The matrix lies row by row, n columns, at most 32 rows and columns. Block: n threads.
.equ MOST, 32

.entry givens_qr
{
  .param ptr a                      // replaced by R
  .param u32 n                      // rows and columns
  .shared matrix, 4*MOST*MOST
    and.b32         $r0, $r0, 0x0000ffff
    mov.b32         $r1, s[n]
    mul24.lo.u32    $r2, $r1, $r1
    shl.u32         $r2, $r2, 2                     // bytes of a matrix
    mov.u32.u16     $r3, %ctaid.x
    mul24.lo.u32    $r3, $r3, $r2
    add.u32         $r3, s[a], $r3
    shl.u32         $r4, $r0, 2
    add.u32         $r3, $r3, $r4                   // column of the thread
    shl.u32         $r5, $r1, 2                     // bytes of a row
    mov.b32         $r6, $r4
load:
    mov.u32         $r7, g[$r3]
    movsh.b32       $ofs1, $r6, 0
    add.b32         $ofs1, $ofs1, matrix
    mov.b32         s[$ofs1], $r7
    add.u32         $r3, $r3, $r5
    add.u32         $r6, $r6, $r5
    set.lt.u32      $p0|$o127, $r6, $r2
@$p0.ne bra.label   load
    sub.u32         $r3, $r3, $r2
    bar.sync.u32    0
    mov.b32         $r8, 0x00000000                 // k: 4 bytes per column
next_column:
    sub.u32         $r9, $r2, $r5                   // the last row
next_row:
    // Element (row, k), the one above it, and the rotation that makes it 0.
    add.u32         $r10, $r9, $r8
    movsh.b32       $ofs1, $r10, 0
    add.b32         $ofs1, $ofs1, matrix
    sub.u32         $r10, $r10, $r5
    movsh.b32       $ofs2, $r10, 0
    add.b32         $ofs2, $ofs2, matrix
    mov.b32         $r11, s[$ofs2]
    mov.b32         $r12, s[$ofs1]
    bar.sync.u32    0
    mul.f32         $r13, $r11, $r11
    mad.f32         $r13, $r12, $r12, $r13
    rsqrt.f32       $r13, $r13
    mul.f32         $r14, $r11, $r13                // c
    mul.f32         $r15, $r12, $r13                // s
    // Both rows, in the thread's column.
    add.u32         $r10, $r9, $r4
    movsh.b32       $ofs1, $r10, 0
    add.b32         $ofs1, $ofs1, matrix
    sub.u32         $r10, $r10, $r5
    movsh.b32       $ofs2, $r10, 0
    add.b32         $ofs2, $ofs2, matrix
    mov.b32         $r11, s[$ofs2]
    mov.b32         $r12, s[$ofs1]
    mul.f32         $r13, $r14, $r11
    mad.f32         $r13, $r15, $r12, $r13
    mul.f32         $r12, $r14, $r12
    mad.f32         $r12, -$r15, $r11, $r12
    mov.b32         s[$ofs2], $r13
    mov.b32         s[$ofs1], $r12
    bar.sync.u32    0
    sub.u32         $r9, $r9, $r5
    // Until the row is that of the diagonal: k rows of n words.
    mul24.lo.u32    $r10, $r8, $r1
    set.gt.u32      $p0|$o127, $r9, $r10
@$p0.ne bra.label   next_row
    add.u32         $r8, $r8, 4
    sub.u32         $r10, $r5, 4
    set.lt.u32      $p0|$o127, $r8, $r10
@$p0.ne bra.label   next_column
    mov.b32         $r6, $r4
store:
    movsh.b32       $ofs1, $r6, 0
    add.b32         $ofs1, $ofs1, matrix
    mov.b32         $r7, s[$ofs1]
    mov.u32         g[$r3], $r7
    add.u32         $r3, $r3, $r5
    add.u32         $r6, $r6, $r5
    set.lt.u32      $p0|$o127, $r6, $r2
@$p0.ne bra.label   store
    return
}
