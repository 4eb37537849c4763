// SPDX-License-Identifier: Apache-2.0
// A matrix transposed through tiles of 16 x 16 elements, one element a thread: the example of the first software kits for CUDA
// (2007), with a word more per row of a tile; without that word; and without a tile. The edges are guarded, so the sides may be
// anything. Products of words and conditions joined by && are as compilers of the time made them for compute capability 1.0
// (a transposition among the public binaries of the soft GPGPU FlexGrip, Andryc et al. 2013, has both).
.equ SIDE, 16
.equ LOG2_SIDE, 4

// result = a * b in 32 bits, from products of 16: the chip has no such multiplication.
.macro multiply_words result, a, b
    mul24.lo.u32.u16.u16     \result, \a.lo, \b.hi
    mad24.lo.u32.u16.u16.u32 \result, \a.hi, \b.lo, \result
    shl.u32         \result, \result, 16
    mad24.lo.u32.u16.u16.u32 \result, \a.lo, \b.lo, \result
.endm

// $p0: column < columns && row < rows, each made a number first.
.macro is_inside column, columns, row, rows
    set.gt.u32      $r6, s[\columns], \column
    set.gt.u32      $r7, s[\rows], \row
    and.b32         $r6, $r6, c1[one]
    and.b32         $r7, $r7, c1[one]
    and.b32         $p0|_, $r6, $r7
.endm

.macro place_of_thread
    cvt.u32.u16     $r1, $r0.hi                     // y
    cvt.u32.u16     $r0, $r0.lo                     // x
    cvt.u32.u16     $r2, %ctaid.x
    shl.u32         $r2, $r2, LOG2_SIDE
    cvt.u32.u16     $r3, %ctaid.y
    shl.u32         $r3, $r3, LOG2_SIDE
    add.u32         $r4, $r2, $r0                   // column
    add.u32         $r5, $r3, $r1                   // row
.endm

.macro read_element                                 // $r6 = in[row][column]
    mov.b32         $r6, s[width]
    multiply_words  $r7, $r6, $r5
    add.u32         $r6, $r7, $r4
    shl.u32         $r6, $r6, 2
    add.u32         $r6, s[in], $r6
    mov.u32         $r6, g[$r6]
.endm

.macro through_tile words                           // of a row of the tile
    place_of_thread
    mov.b32         $r8, \words
    join.label      tile_filled\@
    is_inside       $r4, width, $r5, height
@$p0.eq bra.label   tile_filled\@
    read_element
    mad24.lo.u32    $r7, $r1, $r8, $r0
    movsh.b32       $ofs1, $r7, 2
    mov.b32         s[$ofs1+tile], $r6              // tile[y][x]
tile_filled\@:
    nop.join
    bar.sync        0
    add.u32         $r4, $r3, $r0                   // column of the result
    add.u32         $r5, $r2, $r1                   // row of the result
    is_inside       $r4, height, $r5, width
@$p0.eq return
    mad24.lo.u32    $r7, $r0, $r8, $r1
    movsh.b32       $ofs1, $r7, 2
    mov.b32         $r8, s[height]
    multiply_words  $r7, $r8, $r5
    mov.b32         $r6, s[$ofs1+tile]              // tile[x][y]
    add.u32         $r7, $r7, $r4
    shl.u32         $r7, $r7, 2
    add.u32         $r7, s[out], $r7
    mov.end.u32     g[$r7], $r6
.endm

.entry transpose_16
{
  .param ptr out
  .param ptr in
  .param u32 width
  .param u32 height
  .const one c1 : u32 1
  .shared tile, 4*SIDE*(SIDE+1)
    through_tile    SIDE+1
}

.entry transpose_16_unpadded                        // 16 lanes read from one bank
{
  .param ptr out
  .param ptr in
  .param u32 width
  .param u32 height
  .const one c1 : u32 1
  .shared tile, 4*SIDE*SIDE
    through_tile    SIDE
}

.entry transpose_16_naive                           // what a half-warp writes lies a column apart
{
  .param ptr out
  .param ptr in
  .param u32 width
  .param u32 height
  .const one c1 : u32 1
    place_of_thread
    is_inside       $r4, width, $r5, height
@$p0.eq return
    read_element
    mov.b32         $r8, s[height]
    multiply_words  $r7, $r8, $r4
    add.u32         $r7, $r7, $r5
    shl.u32         $r7, $r7, 2
    add.u32         $r7, s[out], $r7
    mov.end.u32     g[$r7], $r6
}
