// SPDX-License-Identifier: Apache-2.0
// c = a * b, stored column by column, in the scheme of Volkov and Demmel (2008): 64 threads (16 x 4) compute 64 x 16 elements of
// c, a row each in 16 registers. A 16 x 16 tile of b goes through shared memory and is the shared operand of the multiply-adds;
// elements of a come straight from device memory, four ahead of their use within a tile.
// Grid: rows / 64, columns / 16.
.equ SIDE, 16
.equ AHEAD, 4
.equ ROW, 4*(SIDE+1)                                // bytes of a row of the tile: a column goes to different banks

.entry sgemm
{
  .param ptr a
  .param u32 pitch_a                                // elements from one column to the next
  .param ptr b
  .param u32 pitch_b
  .param ptr c
  .param u32 pitch_c
  .param u32 k                                      // columns of a, rows of b; a multiple of 16
  .shared tile, SIDE*ROW
  .alias pa, $r20
  .alias step_a, $r21
  .alias pb, $r22
  .alias end_b, $r23
  .alias step_b, $r24
  .alias pc, $r25
    cvt.u32.u16     $r16, $r0.lo                    // x: row of the tile
    cvt.u32.u16     $r17, $r0.hi                    // y: first of its columns y, y + 4, y + 8, y + 12
    cvt.u32.u16     $r18, %ctaid.x
    shl.u32         $r18, $r18, 6
    cvt.u32.u16     $r19, %ctaid.y
    shl.u32         $r19, $r19, 4                   // first column of c
    shl.u32         pa, $r17, 4
    add.u32         pa, pa, $r16
    add.u32         $r18, $r18, pa                  // row of a and c
    mov.b32         pc, s[pitch_c]
    mul24.lo.u32    pc, pc, $r19
    add.u32         pc, pc, $r18
    shl.u32         pc, pc, 2
    add.u32         pc, s[c], pc
    shl.u32         pa, $r18, 2
    add.u32         pa, s[a], pa
    mov.b32         step_a, s[pitch_a]
    shl.u32         step_a, step_a, 2
    add.u32         $r19, $r19, $r17
    mad24.lo.u32    pb, s[pitch_b], $r19, $r16
    shl.u32         pb, pb, 2
    add.u32         pb, s[b], pb
    mov.b32         end_b, s[k]
    shl.u32         end_b, end_b, 2
    add.u32         end_b, pb, end_b
    mov.b32         step_b, s[pitch_b]
    shl.u32         step_b, step_b, 4               // bytes of four columns
    mov.b32         $r26, SIDE+1
    mad24.lo.u32    $r26, $r16, $r26, $r17
    movsh.b32       $ofs2, $r26, 2                  // place in the tile
    mov.b32         $r0, 0
.rept SIDE-1, i
    mov.b32         $r(1+i), $r0
.endr
next_tile:
.rept AHEAD, i
    mov.u32         $r(16+i), g[pa]
    add.u32         pa, pa, step_a
.endr
    mov.u32         $r26, g[pb]
    add.u32         $r29, pb, step_b
    mov.u32         $r27, g[$r29]
    add.u32         $r29, $r29, step_b
    mov.u32         $r28, g[$r29]
    add.u32         $r29, $r29, step_b
    mov.u32         $r29, g[$r29]
.rept AHEAD, i
    mov.b32         s[$ofs2+tile+SIDE*i], $r(26+i)
.endr
    bar.sync        0
    mov.b32         $ofs1, tile
.rept SIDE, k
.rept SIDE, i
    mad.rn.f32      $r(i), s[$ofs1+4*i], $r(16+k%AHEAD), $r(i)
.endr
.rept (SIDE-1-k+SIDE-1)/SIDE                        // not behind the last row
    add.b32         $ofs1, $ofs1, ROW
.endr
.rept (SIDE-AHEAD-1-k+SIDE)/SIDE                    // not in the last four rows
    mov.u32         $r(16+k%AHEAD), g[pa]
    add.u32         pa, pa, step_a
.endr
.endr
    add.b32         pb, pb, 4*SIDE
    set.lt.u32      $p0|_, pb, end_b
    bar.sync        0
@$p0.ne bra.label   next_tile
    mov.b32         $r16, s[pitch_c]
    shl.u32         $r16, $r16, 2
.rept SIDE-1, i
    mov.u32         g[pc], $r(i)
    add.u32         pc, pc, $r16
.endr
    mov.end.u32     g[pc], $r15
}
