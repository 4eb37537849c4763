// SPDX-License-Identifier: Apache-2.0
// out = transposed in, through a tile in shared memory: both the reads and the writes of global memory go along rows.
// The tile has rows of 16 words, as many as there are banks: its columns lie in one bank each.
// Blocks of 16x16 threads; width and height are multiples of 16.
.equ row_words, 16                // words from one row of the tile to the next

.entry transpose
{
  .param ptr in
  .param ptr out
  .param u32 width
  .param u32 height
  .shared tile, 4 * 16 * row_words

    and.b32         $r1, $r0, 0x0000ffff            // thread index x
    shr.u32         $r2, $r0, 16                    // thread index y
    mov.u32.u16     $r3, %ctaid.x
    mov.u32.u16     $r4, %ctaid.y
    shl.u32         $r3, $r3, 4                     // first column of the tile in in
    shl.u32         $r4, $r4, 4                     // first row

    add.u32         $r5, $r3, $r1
    add.u32         $r6, $r4, $r2
    mad24.lo.u32    $r5, s[width], $r6, $r5
    shl.u32         $r5, $r5, 2
    add.u32         $r5, s[in], $r5
    mov.u32         $r5, g[$r5]                     // in[first row + y][first column + x]
    mul24.lo.u32    $r6, $r2, row_words
    add.u32         $r6, $r6, $r1
    movsh.b32       $ofs1, $r6, 2
    mov.b32         s[$ofs1+tile], $r5              // tile[y][x]
    bar.sync.u32    0x00000000

    mul24.lo.u32    $r6, $r1, row_words
    add.u32         $r6, $r6, $r2
    movsh.b32       $ofs2, $r6, 2
    mov.b32         $r5, s[$ofs2+tile]              // tile[x][y]: a column of the tile
    add.u32         $r6, $r4, $r1
    add.u32         $r7, $r3, $r2
    mad24.lo.u32    $r6, s[height], $r7, $r6
    shl.u32         $r6, $r6, 2
    add.u32         $r6, s[out], $r6
    mov.u32         g[$r6], $r5                     // out[first column + y][first row + x]
    return
}
