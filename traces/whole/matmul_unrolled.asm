// SPDX-License-Identifier: Apache-2.0
// c = a * b, all n x n and row by row, in 16 x 16 tiles of both through shared memory, the inner loop unrolled: what Ryoo et al.
// (2008) made of matmul_rolled.asm.
.equ SIDE, 16
.equ LOG2_SIDE, 4

.entry matmul_unrolled
{
  .param ptr c
  .param ptr a
  .param ptr b
  .param u32 n                                      // a multiple of 16
  .shared tile_a, 4*SIDE*SIDE
  .shared tile_b, 4*SIDE*SIDE
    cvt.u32.u16     $r1, $r0.hi                     // y in the tile
    cvt.u32.u16     $r0, $r0.lo                     // x in the tile
    cvt.u32.u16     $r2, %ctaid.x
    shl.u32         $r2, $r2, LOG2_SIDE
    add.u32         $r2, $r2, $r0                   // column of c
    cvt.u32.u16     $r3, %ctaid.y
    shl.u32         $r3, $r3, LOG2_SIDE
    add.u32         $r3, $r3, $r1                   // row of c
    mov.b32         $r4, s[n]
    mul24.lo.u32    $r5, $r3, $r4
    add.u32         $r6, $r5, $r0
    shl.u32         $r6, $r6, 2
    add.u32         $r6, s[a], $r6                  // a[row][x]
    mad24.lo.u32    $r7, $r1, $r4, $r2
    shl.u32         $r7, $r7, 2
    add.u32         $r7, s[b], $r7                  // b[y][column]
    add.u32         $r2, $r5, $r2                   // word of c
    shl.u32         $r5, $r4, 2
    add.u32         $r5, $r6, $r5                   // where $r6 stands at the end
    shl.u32         $r4, $r4, 2+LOG2_SIDE           // bytes of 16 rows
    shl.u32         $r1, $r1, LOG2_SIDE
    add.u32         $r0, $r1, $r0
    movsh.b32       $ofs1, $r0, 2                   // place in both tiles
    movsh.b32       $ofs2, $r1, 2
    add.b32         $ofs2, $ofs2, tile_a            // row y of the tile of a
    sub.u32         $r0, $r0, $r1
    movsh.b32       $ofs4, $r0, 2
    mov.b32         $r3, 0                          // sum
next_tiles:
    mov.u32         $r8, g[$r6]
    mov.u32         $r9, g[$r7]
    mov.b32         s[$ofs1+tile_a], $r8
    mov.b32         s[$ofs1+tile_b], $r9
    bar.sync        0
// A source in s[] reaches 124 bytes behind its address register: a new one for every two rows of the tile of b.
.rept SIDE/2, pair
    add.b32         $ofs3, $ofs4, tile_b+8*SIDE*pair
    mov.b32         $r8, s[$ofs3]
    mov.b32         $r9, s[$ofs3+4*SIDE]
    mad.rn.f32      $r3, s[$ofs2+8*pair], $r8, $r3
    mad.rn.f32      $r3, s[$ofs2+8*pair+4], $r9, $r3
.endr
    add.b32         $r6, $r6, 4*SIDE
    add.u32         $r7, $r7, $r4
    set.ne.u32      $p0|_, $r6, $r5
    bar.sync        0
@$p0.ne bra.label   next_tiles
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[c], $r2
    mov.end.u32     g[$r2], $r3
}
