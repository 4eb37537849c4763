// SPDX-License-Identifier: Apache-2.0
// The ladder of Ruetsch and Micikevicius (2009), "Optimizing matrix transpose in CUDA": copies and transpositions of a matrix of
// 32-bit elements by tiles of 32 x 32, blocks of 32 x 8 threads, four elements a thread. Sides are multiples of 32. Each kernel
// can repeat its work, as theirs did.
.equ SIDE, 32
.equ LOG2_SIDE, 5
.equ EACH, 4                                        // elements of a thread, eight rows apart

// $r0, $r1 = thread in x and y; $r2, $r3 = column and row of the tile's corner.
.macro place
    cvt.u32.u16     $r1, $r0.hi
    cvt.u32.u16     $r0, $r0.lo
    cvt.u32.u16     $r2, %ctaid.x
    cvt.u32.u16     $r3, %ctaid.y
    shl.u32         $r2, $r2, LOG2_SIDE
    shl.u32         $r3, $r3, LOG2_SIDE
    add.u32         $r4, $r2, $r0
    add.u32         $r5, $r3, $r1
    mad24.lo.u32    $r4, s[width], $r5, $r4
    shl.u32         $r4, $r4, 2                     // byte of the first element in the matrix that is read
.endm

.macro begin_passes
    mov.b32         $r2, s[passes]
    mov.b32         $r3, 1
again:
    mov.b32         $r0, $r4
    mov.b32         $r1, $r5
.endm

.macro end_passes
    sub.u32         $p0|$r2, $r2, $r3
@$p0.ne bra.label   again
    nop.end
.endm

// Element by element; what is written goes on by \step bytes.
.macro straight step
.rept EACH-1
    mov.u32         $r8, g[$r0]
    add.u32         $r0, $r0, $r6
    mov.u32         g[$r1], $r8
    add.u32         $r1, $r1, \step
.endr
    mov.u32         $r8, g[$r0]
    mov.u32         g[$r1], $r8
.endm

// The four elements of the thread to row y, y + 8, ... of the tile, whose rows have \row words.
.macro into_tile row
.rept EACH-1, i
    mov.u32         $r(8+i), g[$r0]
    add.u32         $r0, $r0, $r6
.endr
    mov.u32         $r(8+EACH-1), g[$r0]
.rept EACH, i
    mov.b32         s[$ofs1+tile+4*8*\row*i], $r(8+i)
.endr
    bar.sync        0
.endm

.macro parameters
  .param ptr out
  .param ptr in
  .param u32 width
  .param u32 height
  .param u32 passes
.endm

.entry moves_copy
{
  parameters
    place
    add.u32         $r5, s[out], $r4
    add.u32         $r4, s[in], $r4
    mov.b32         $r6, s[width]
    shl.u32         $r6, $r6, LOG2_SIDE             // bytes of eight rows
    begin_passes
    straight        $r6
    end_passes
}

.entry moves_tile_copy                              // through shared memory
{
  parameters
  .shared tile, 4*SIDE*SIDE
    place
    add.u32         $r5, s[out], $r4
    add.u32         $r4, s[in], $r4
    mov.b32         $r6, s[width]
    shl.u32         $r6, $r6, LOG2_SIDE
    mov.b32         $r8, SIDE
    mad24.lo.u32    $r9, $r1, $r8, $r0
    movsh.b32       $ofs1, $r9, 2
    begin_passes
    into_tile       SIDE
    mov.b32         $r8, s[$ofs1+tile]
    mov.u32         g[$r1], $r8
.rept EACH-1, i
    add.u32         $r1, $r1, $r6
    add.b32         $ofs3, $ofs1, 4*8*SIDE*(i+1)
    mov.b32         $r8, s[$ofs3+tile]
    mov.u32         g[$r1], $r8
.endr
    end_passes
}

.entry moves_naive                                  // transposes; what a half-warp writes lies a column apart
{
  parameters
    place
    mov.b32         $r6, s[height]
    add.u32         $r7, $r2, $r0
    mad24.lo.u32    $r5, $r6, $r7, $r5
    shl.u32         $r5, $r5, 2
    add.u32         $r5, s[out], $r5
    add.u32         $r4, s[in], $r4
    mov.b32         $r6, s[width]
    shl.u32         $r6, $r6, LOG2_SIDE
    mov.b32         $r7, 4*8                        // eight rows on are eight columns here
    begin_passes
    straight        $r7
    end_passes
}

.entry moves_padded                                 // transposes through a tile with a word more per row: no bank conflicts
{
  parameters
  .shared tile, 4*SIDE*(SIDE+1)
    place
    add.u32         $r4, s[in], $r4
    add.u32         $r5, $r3, $r0
    add.u32         $r6, $r2, $r1
    mad24.lo.u32    $r5, s[height], $r6, $r5
    shl.u32         $r5, $r5, 2
    add.u32         $r5, s[out], $r5
    mov.b32         $r6, s[width]
    shl.u32         $r6, $r6, LOG2_SIDE
    mov.b32         $r7, s[height]
    shl.u32         $r7, $r7, LOG2_SIDE
    mov.b32         $r8, SIDE+1
    mad24.lo.u32    $r9, $r1, $r8, $r0
    movsh.b32       $ofs1, $r9, 2                   // tile[y][x]
    mad24.lo.u32    $r9, $r0, $r8, $r1
    movsh.b32       $ofs2, $r9, 2
    add.b32         $ofs2, $ofs2, tile              // tile[x][y]
    begin_passes
    into_tile       (SIDE+1)
.rept EACH-1, i
    mov.b32         $r8, s[$ofs2+4*8*i]
    mov.u32         g[$r1], $r8
    add.u32         $r1, $r1, $r7
.endr
    mov.b32         $r8, s[$ofs2+4*8*(EACH-1)]
    mov.u32         g[$r1], $r8
    end_passes
}
