// SPDX-License-Identifier: Apache-2.0
// A matrix transposed through tiles of 16 x 16 elements with a word more per row, one element a thread: the example of the first
// software kits for CUDA (2007). The edges are guarded, so the sides may be anything.
.equ SIDE, 16
.equ LOG2_SIDE, 4

.entry transpose_16
{
  .param ptr out
  .param ptr in
  .param u32 width
  .param u32 height
  .shared tile, 4*SIDE*(SIDE+1)
    cvt.u32.u16     $r1, $r0.hi                     // y
    cvt.u32.u16     $r0, $r0.lo                     // x
    cvt.u32.u16     $r2, %ctaid.x
    shl.u32         $r2, $r2, LOG2_SIDE
    cvt.u32.u16     $r3, %ctaid.y
    shl.u32         $r3, $r3, LOG2_SIDE
    add.u32         $r4, $r2, $r0                   // column
    add.u32         $r5, $r3, $r1                   // row
    mov.b32         $r8, SIDE+1
    mov.b32         $r9, s[height]
    join.label      tile_filled
    set.gt.u32      $p0|$r6, s[width], $r4
    set.gt.u32      $p0|$r7, $r9, $r5
    and.b32         $p0|_, $r6, $r7
@$p0.eq bra.label   tile_filled
    mad24.lo.u32    $r6, s[width], $r5, $r4
    shl.u32         $r6, $r6, 2
    add.u32         $r6, s[in], $r6
    mov.u32         $r6, g[$r6]
    mad24.lo.u32    $r7, $r1, $r8, $r0
    movsh.b32       $ofs1, $r7, 2
    mov.b32         s[$ofs1+tile], $r6              // tile[y][x]
tile_filled:
    nop.join
    bar.sync        0
    add.u32         $r4, $r3, $r0                   // column of the result
    add.u32         $r5, $r2, $r1                   // row of the result
    set.le.u32      $p0|_, s[height], $r4
@$p0.ne return
    set.le.u32      $p0|_, s[width], $r5
@$p0.ne return
    mad24.lo.u32    $r7, $r0, $r8, $r1
    movsh.b32       $ofs1, $r7, 2
    mov.b32         $r6, s[$ofs1+tile]              // tile[x][y]
    mad24.lo.u32    $r7, $r9, $r5, $r4
    shl.u32         $r7, $r7, 2
    add.u32         $r7, s[out], $r7
    mov.end.u32     g[$r7], $r6
}
