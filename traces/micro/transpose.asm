// SPDX-License-Identifier: Apache-2.0
// Copies and transpositions of a square matrix by tiles of 32 x 32 words, after Ruetsch and Micikevicius (2009): blocks of
// 32 x 8 threads in one dimension, four words each. Which of the two halves of a transposition costs what (words within a
// tile, tiles within the matrix), bank conflicts, and partitions that all blocks in flight write to at once.
.arch sm_11
.equ TILES_LOG2, 6       // 64 x 64 tiles
.equ ROW, 32             // words from one row of a tile in shared memory to the next; 33 has no bank conflicts

// $r5 = byte of this thread's first word in the tile at row $r4, column $r3 (in words) of a matrix.
.macro place_in column, row
    add.u32         $r5, \row, $r2
    mul24.lo.u32    $r5, $r5, $r8
    add.u32         $r6, \column, $r1
    shl.u32         $r6, $r6, 2
    add.u32         $r5, $r5, $r6
.endm

// $r9 = address of what is read, $r10 = of what is written: words whose rows are eight apart ($r8 times eight).
.macro from_and_to column, row
    place_in $r3, $r4
    add.u32         $r9, s[from], $r5
    place_in \column, \row
    add.u32         $r10, s[to], $r5
    shl.u32         $r11, $r8, 3
.endm

.macro read_tile
  .shared tile, 4 * 32 * ROW
    mul24.lo.u32    $r6, $r2, ROW
    add.u32         $r6, $r6, $r1
    movsh.b32       $ofs1, $r6, 2
.rept 4, i
    mov.u32         $r7, g[$r9]
    mov.b32         s[$ofs1+tile+32*ROW*i], $r7
    add.u32         $r9, $r9, $r11
.endr
    bar.sync        0
.endm

.macro write_rows
.rept 4, i
    mov.b32         $r7, s[$ofs1+tile+32*ROW*i]
    mov.u32         g[$r10], $r7
    add.u32         $r10, $r10, $r11
.endr
.endm

.macro write_columns
    mul24.lo.u32    $r6, $r1, ROW
    add.u32         $r6, $r6, $r2
    movsh.b32       $ofs2, $r6, 2
.rept 4, i
    mov.b32         $r7, s[$ofs2+tile+32*i]
    mov.u32         g[$r10], $r7
    add.u32         $r10, $r10, $r11
.endr
.endm

.macro transpose step
.entry transpose_\step
{
  .param ptr out
  .param ptr from
  .param ptr to
  .param u32 pitch         // bytes of a row
    mov.b32         $r7, 0x0000001f
    and.b32         $r1, $r0, $r7                   // column in the tile
    and.b32         $r2, $r0, 0x0000ffff
    shr.u32         $r2, $r2, 5                     // row in the tile
    mov.u32.u16     $r4, %ctaid.x
    mov.b32         $r7, (1 << TILES_LOG2) - 1
    and.b32         $r3, $r4, $r7
    shr.u32         $r4, $r4, TILES_LOG2
    mov.b32         $r8, s[pitch]
    \step
    return
}
.endm

.macro in_words                                      // of tiles to words
    shl.u32         $r3, $r3, 5
    shl.u32         $r4, $r4, 5
.endm

.macro copy                                          // word by word, to the same place
    in_words
    from_and_to $r3, $r4
.rept 4, i
    mov.u32         $r7, g[$r9]
    mov.u32         g[$r10], $r7
    add.u32         $r9, $r9, $r11
    add.u32         $r10, $r10, $r11
.endr
.endm

.macro tile_copy                                     // through shared memory, to the same place
    in_words
    from_and_to $r3, $r4
    read_tile
    write_rows
.endm

.macro naive                                         // word by word, columns to rows
    in_words
    from_and_to $r3, $r4
    add.u32         $r5, $r3, $r1
    mul24.lo.u32    $r5, $r5, $r8
    add.u32         $r6, $r4, $r2
    shl.u32         $r6, $r6, 2
    add.u32         $r5, $r5, $r6
    add.u32         $r10, s[to], $r5
.rept 4, i
    mov.u32         $r7, g[$r9]
    mov.u32         g[$r10], $r7
    add.u32         $r9, $r9, $r11
    add.u32         $r10, $r10, 32
.endr
.endm

.macro within_tiles                                  // each tile transposed where it is
    in_words
    from_and_to $r3, $r4
    read_tile
    write_columns
.endm

.macro between_tiles                                 // tiles as they are, columns of them to rows
    in_words
    from_and_to $r4, $r3
    read_tile
    write_rows
.endm

.macro tiled                                         // both: the matrix transposed
    in_words
    from_and_to $r4, $r3
    read_tile
    write_columns
.endm

.macro diagonal                                      // both, and neighbouring blocks take tiles of a diagonal
    add.u32         $r6, $r3, $r4
    mov.b32         $r4, $r3
    and.b32         $r3, $r6, $r7
    tiled
.endm

transpose copy
transpose tile_copy
transpose naive
transpose within_tiles
transpose between_tiles
transpose tiled
transpose diagonal
