// SPDX-License-Identifier: Apache-2.0
// c = a * b, all n x n and row by row, one element of c a thread in blocks of 16 x 16: the steps of Ryoo et al. (2008) from nothing
// in shared memory over tiles of both matrices there to tiles with the inner loop unrolled.
.equ SIDE, 16
.equ LOG2_SIDE, 4

// In $r0 and $r1 x and y in the tile, in $r2 and $r3 column and row of c, in $r4 n, in $r5 the row's first word.
.macro place
    cvt.u32.u16     $r1, $r0.hi
    cvt.u32.u16     $r0, $r0.lo
    cvt.u32.u16     $r2, %ctaid.x
    shl.u32         $r2, $r2, LOG2_SIDE
    add.u32         $r2, $r2, $r0
    cvt.u32.u16     $r3, %ctaid.y
    shl.u32         $r3, $r3, LOG2_SIDE
    add.u32         $r3, $r3, $r1
    mov.b32         $r4, s[n]
    mul24.lo.u32    $r5, $r3, $r4
.endm

// Behind `place`: $r6 and $r7 walk over a[row][x] and b[y][column], $r2 is the word of c, $r0 x; $ofs1 is the place in both
// tiles, $ofs2 row y of the tile of a.
.macro tiles
    add.u32         $r6, $r5, $r0
    shl.u32         $r6, $r6, 2
    add.u32         $r6, s[a], $r6                  // a[row][x]
    mad24.lo.u32    $r7, $r1, $r4, $r2
    shl.u32         $r7, $r7, 2
    add.u32         $r7, s[b], $r7                  // b[y][column]
    add.u32         $r2, $r5, $r2
    shl.u32         $r5, $r4, 2
    add.u32         $r5, $r6, $r5                   // where $r6 stands at the end
    shl.u32         $r4, $r4, 2+LOG2_SIDE           // bytes of 16 rows
    shl.u32         $r1, $r1, LOG2_SIDE
    add.u32         $r0, $r1, $r0
    movsh.b32       $ofs1, $r0, 2
    movsh.b32       $ofs2, $r1, 2
    add.b32         $ofs2, $ofs2, tile_a
    sub.u32         $r0, $r0, $r1
.endm

.macro fill_tiles
    mov.u32         $r8, g[$r6]
    mov.u32         $r9, g[$r7]
    mov.b32         s[$ofs1+tile_a], $r8
    mov.b32         s[$ofs1+tile_b], $r9
    bar.sync        0
.endm

// To `label` while there are tiles; then the sum in $r3 is written.
.macro next_or_write label
    add.b32         $r6, $r6, 4*SIDE
    add.u32         $r7, $r7, $r4
    set.ne.u32      $p0|_, $r6, $r5
    bar.sync        0
@$p0.ne bra.label   \label
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[c], $r2
    mov.end.u32     g[$r2], $r3
.endm

.entry matmul_untiled
{
  .param ptr c
  .param ptr a
  .param ptr b
  .param u32 n
  .param u32 steps                                  // the first terms of each sum; all: n
    place
    shl.u32         $r6, $r5, 2
    add.u32         $r6, s[a], $r6                  // a[row][0]: one word for half a warp
    shl.u32         $r7, $r2, 2
    add.u32         $r7, s[b], $r7                  // b[0][column]
    add.u32         $r2, $r5, $r2                   // word of c
    shl.u32         $r4, $r4, 2                     // bytes of a row
    mov.b32         $r5, s[steps]
    shl.u32         $r5, $r5, 2
    add.u32         $r5, $r6, $r5                   // where $r6 stands at the end
    mov.b32         $r3, 0                          // sum
next_term:
    mov.u32         $r8, g[$r6]
    mov.u32         $r9, g[$r7]
    add.b32         $r6, $r6, 4
    add.u32         $r7, $r7, $r4
    mad.rn.f32      $r3, $r8, $r9, $r3
    set.ne.u32      $p0|_, $r6, $r5
@$p0.ne bra.label   next_term
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[c], $r2
    mov.end.u32     g[$r2], $r3
}

.entry matmul_rolled
{
  .param ptr c
  .param ptr a
  .param ptr b
  .param u32 n                                      // a multiple of 16
  .shared tile_a, 4*SIDE*SIDE
  .shared tile_b, 4*SIDE*SIDE
    place
    tiles
    shl.u32         $r0, $r0, 2
    mov.b32         $r3, 0                          // sum
next_tiles:
    fill_tiles
    mov.b32         $r1, SIDE
    mov.b32         $r9, 1
    movsh.b32       $ofs3, $r0, 0
    add.b32         $ofs3, $ofs3, tile_b            // column x of the tile of b
    add.b32         $ofs4, $ofs2, 0
next_word:
    mov.b32         $r8, s[$ofs4]
    mad.rn.f32      $r3, s[$ofs3], $r8, $r3
    add.b32         $ofs4, $ofs4, 4
    add.b32         $ofs3, $ofs3, 4*SIDE
    sub.u32         $p0|$r1, $r1, $r9
@$p0.ne bra.label   next_word
    next_or_write   next_tiles
}

.entry matmul_unrolled
{
  .param ptr c
  .param ptr a
  .param ptr b
  .param u32 n                                      // a multiple of 16
  .shared tile_a, 4*SIDE*SIDE
  .shared tile_b, 4*SIDE*SIDE
    place
    tiles
    movsh.b32       $ofs4, $r0, 2
    mov.b32         $r3, 0                          // sum
next_tiles:
    fill_tiles
// A source in s[] reaches 124 bytes behind its address register: a new one for every two rows of the tile of b.
.rept SIDE/2, pair
    add.b32         $ofs3, $ofs4, tile_b+8*SIDE*pair
    mov.b32         $r8, s[$ofs3]
    mov.b32         $r9, s[$ofs3+4*SIDE]
    mad.rn.f32      $r3, s[$ofs2+8*pair], $r8, $r3
    mad.rn.f32      $r3, s[$ofs2+8*pair+4], $r9, $r3
.endr
    next_or_write   next_tiles
}
