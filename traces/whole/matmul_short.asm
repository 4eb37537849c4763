// SPDX-License-Identifier: Apache-2.0
// c = a * b, row by row, where a has 16 columns and b 16 rows: the kernels by which the CUDA C Best Practices Guide shows what shared
// memory is good for. One element of c a thread, blocks of 16 x 16, loops unrolled as nvcc does with sixteen passes.
.equ SIDE, 16
.equ LOG2_SIDE, 4
.equ WORD, 4
.equ LOG2_WORD, 2
.equ ROW, SIDE*WORD                                 // bytes of a row of a, and of a tile

// In $r0 and $r1 x and y in the block, in $r2 and $r3 column and row of c.
.macro place
    cvt.u32.u16     $r1, $r0.hi
    cvt.u32.u16     $r0, $r0.lo
    mov.b16         $r4.lo, %ntid.x
    mov.b16         $r4.hi, %ntid.y
    mad24.lo.u32.u16.u16.u32 $r2, %ctaid.x, $r4.lo, $r0
    mad24.lo.u32.u16.u16.u32 $r3, %ctaid.y, $r4.hi, $r1
.endm

// In $r6 how far word [row][column] of b or c is from the first. A product of words is made of products of 16 bits.
.macro distance row
    mov.b32         $r5, s[n]
    mul24.lo.u32.u16.u16 $r6, $r5.lo, \row.hi
    mad24.lo.u32.u16.u16.u32 $r6, $r5.hi, \row.lo, $r6
    shl.u32         $r6, $r6, 16
    mad24.lo.u32.u16.u16.u32 $r6, $r5.lo, \row.lo, $r6
    add.u32         $r6, $r6, $r2
    shl.u32         $r6, $r6, LOG2_WORD
.endm

// c[row][column] = $r4.
.macro write_result
    distance        $r3
    add.u32         $r6, s[c], $r6
    mov.end.u32     g[$r6], $r4
.endm

.entry short_direct
{
  .param ptr a
  .param ptr b
  .param ptr c
  .param u32 n                                      // columns of b and c
    place
    shl.u32         $r7, $r3, LOG2_WORD+LOG2_SIDE
    add.u32         $r7, s[a], $r7                  // a[row][0]: one word for half a warp
    shl.u32         $r8, $r2, LOG2_WORD
    add.u32         $r8, s[b], $r8                  // b[0][column]
    mov.b32         $r9, s[n]
    shl.u32         $r9, $r9, LOG2_WORD
    mov.b32         $r4, 0
    mov.u32         $r10, g[$r7]
    mov.u32         $r11, g[$r8]
.rept SIDE/2-1, pair
    add.u32         $r0, $r7, WORD*(2*pair+1)
    add.u32         $r8, $r8, $r9
    mov.u32         $r0, g[$r0]
    mov.u32         $r1, g[$r8]
    mad.rn.f32      $r4, $r10, $r11, $r4
    add.u32         $r10, $r7, WORD*(2*pair+2)
    add.u32         $r8, $r8, $r9
    mov.u32         $r10, g[$r10]
    mov.u32         $r11, g[$r8]
    mad.rn.f32      $r4, $r0, $r1, $r4
.endr
    add.u32         $r0, $r7, WORD*(SIDE-1)
    add.u32         $r8, $r8, $r9
    mov.u32         $r0, g[$r0]
    mov.u32         $r1, g[$r8]
    mad.rn.f32      $r4, $r10, $r11, $r4
    mad.rn.f32      $r4, $r0, $r1, $r4
    write_result
}

// The words of a through shared memory. Each half-warp reads what it wrote: there is no barrier.
.entry short_tile_a
{
  .param ptr a
  .param ptr b
  .param ptr c
  .param u32 n
  .shared tile_a, WORD*SIDE*SIDE
    place
    shl.u32         $r4, $r3, LOG2_SIDE
    add.u32         $r4, $r4, $r0
    shl.u32         $r4, $r4, LOG2_WORD
    add.u32         $r4, s[a], $r4                  // a[row][x]
    shl.u32         $r8, $r2, LOG2_WORD
    add.u32         $r8, s[b], $r8                  // b[0][column]
    mov.u32         $r4, g[$r4]
    shl.u32         $r5, $r1, LOG2_SIDE
    add.u32         $r5, $r5, $r0
    movsh.b32       $ofs1, $r5, LOG2_WORD           // place in the tile
    movsh.b32       $ofs2, $r1, LOG2_WORD+LOG2_SIDE
    mov.b32         $r9, s[n]
    shl.u32         $r9, $r9, LOG2_WORD
    mov.b32         s[$ofs1+tile_a], $r4
    mov.u32         $r10, g[$r8]
    mov.b32         $r4, 0
.rept SIDE/2-1, pair
    add.u32         $r8, $r8, $r9
    mov.u32         $r11, g[$r8]
    mad.rn.f32      $r4, s[$ofs2+tile_a+2*WORD*pair], $r10, $r4
    add.u32         $r8, $r8, $r9
    mov.u32         $r10, g[$r8]
    mad.rn.f32      $r4, s[$ofs2+tile_a+2*WORD*pair+WORD], $r11, $r4
.endr
    add.u32         $r8, $r8, $r9
    mov.u32         $r11, g[$r8]
    mad.rn.f32      $r4, s[$ofs2+tile_a+WORD*(SIDE-2)], $r10, $r4
    mad.rn.f32      $r4, s[$ofs2+tile_a+WORD*(SIDE-1)], $r11, $r4
    write_result
}

// Both tiles through shared memory.
.entry short_tiles
{
  .param ptr a
  .param ptr b
  .param ptr c
  .param u32 n
  .shared tile_a, WORD*SIDE*SIDE
  .shared tile_b, WORD*SIDE*SIDE
    place
    shl.u32         $r4, $r3, LOG2_SIDE
    add.u32         $r4, $r4, $r0
    shl.u32         $r4, $r4, LOG2_WORD
    add.u32         $r4, s[a], $r4                  // a[row][x]
    distance        $r1
    add.u32         $r6, s[b], $r6                  // b[y][column]
    mov.u32         $r4, g[$r4]
    mov.u32         $r6, g[$r6]
    shl.u32         $r5, $r1, LOG2_SIDE
    add.u32         $r5, $r5, $r0
    movsh.b32       $ofs1, $r5, LOG2_WORD           // place in both tiles
    movsh.b32       $ofs2, $r1, LOG2_WORD+LOG2_SIDE
    movsh.b32       $ofs4, $r0, LOG2_WORD
    mov.b32         s[$ofs1+tile_a], $r4
    mov.b32         s[$ofs1+tile_b], $r6
    mov.b32         $r4, 0
    bar.sync        0
// A source in s[] reaches 124 bytes behind its address register: a new one for every two rows of the tile of b.
.rept SIDE/2, pair
    add.b32         $ofs3, $ofs4, tile_b+2*ROW*pair
    mov.b32         $r8, s[$ofs3]
    mov.b32         $r9, s[$ofs3+ROW]
    mad.rn.f32      $r4, s[$ofs2+tile_a+2*WORD*pair], $r8, $r4
    mad.rn.f32      $r4, s[$ofs2+tile_a+2*WORD*pair+WORD], $r9, $r4
.endr
    write_result
}
