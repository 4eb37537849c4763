// SPDX-License-Identifier: Apache-2.0
// y = A x for a sparse matrix of 3x3 blocks, as many in each row (Zhang & Owens 2011, section 5.3).
//   ell:   one row per thread; values and column indices column by column (Bell & Garland 2009)
//   bell:  one row of blocks per thread, one column index for each block; the nine values of a block lie apart, so that
//          neighbouring threads read neighbouring words (Choi, Singh & Vuduc 2010: interleaved matrix)
//   belliv: also the three parts of the vector lie apart (interleaved vector): x[3 j + i] is at i * rows / 3 + j, as is y
// ..._tex read the vector as texture 0. Grid x block = rows, or rows of blocks.
.arch sm_10

.macro position                    // $r0: number of the thread in the grid
    mov.b32         $r1, %ctaid.x
    mov.b32         $r2, %ntid.x
    and.b32         $r0, $r0, 0x0000ffff
    mad24.lo.u32    $r0, $r1, $r2, $r0
.endm

// $r\to = x[index $r\index]; the index is lost.
.macro from_memory to, index
    shl.u32         $r\index, $r\index, 2
    add.u32         $r\index, s[x], $r\index
    mov.u32         $r\to, g[$r\index]
.endm
.macro from_texture to, index
    mov.b32         $r\to, $r\index
    tex.1d.b32.s32  {$r\to,_,_,_}, $tex0, {$r\to}
.endm

.macro ell name, source
.entry \name
{
  .param ptr values
  .param ptr columns
  .param ptr x
  .param ptr y
  .param u32 pitch                 // bytes from one entry of a row to the next
  .param u32 entries               // of a row
    position
    shl.u32         $r0, $r0, 2
    add.u32         $r1, s[values], $r0
    add.u32         $r2, s[columns], $r0
    mov.b32         $r3, s[entries]
    mov.b32         $r4, 1
    mov.b32         $r5, 0x00000000
next\@:
    mov.u32         $r6, g[$r2]
    mov.u32         $r7, g[$r1]
    add.u32         $r1, s[pitch], $r1
    add.u32         $r2, s[pitch], $r2
    \source         8, 6
    sub.u32         $p0|$r3, $r3, $r4
    mad.f32         $r5, $r7, $r8, $r5
@$p0.ne bra.label   next\@
    add.u32         $r0, s[y], $r0
    mov.u32         g[$r0], $r5
    return
}
.endm

// Where the parts of the vector are, from the column $r7 of a block; where those of y go, from the row $r0 of blocks.
.macro straight
    mul24.lo.u32    $r8, $r7, 3
    add.u32         $r9, $r8, 1
    add.u32         $r10, $r8, 2
.endm
.macro interleaved
    mov.b32         $r8, $r7
    add.u32         $r9, s[rows], $r8
    add.u32         $r10, s[rows], $r9
.endm
.macro straight_y
    mul24.lo.u32    $r0, $r0, 12
    add.u32         $r0, s[y], $r0
    mov.b32         $r1, 4
.endm
.macro interleaved_y
    shl.u32         $r0, $r0, 2
    add.u32         $r0, s[y], $r0
    mov.b32         $r1, s[pitch]
.endm

.macro bell name, order, source
.entry \name
{
  .param ptr values
  .param ptr columns
  .param ptr x
  .param ptr y
  .param u32 pitch                 // bytes from one word of a thread to the next
  .param u32 entries               // blocks of a row
  .param u32 rows                  // rows of blocks
    position
    shl.u32         $r4, $r0, 2
    add.u32         $r1, s[values], $r4
    add.u32         $r2, s[columns], $r4
    mov.b32         $r3, s[entries]
    mov.b32         $r4, 1
    mov.b32         $r5, 0x00000000
    mov.b32         $r6, 0x00000000
    mov.b32         $r11, 0x00000000
next\@:
    mov.u32         $r7, g[$r2]
    add.u32         $r2, s[pitch], $r2
.rept 9, i
    mov.u32         $r(15+i), g[$r1]
    add.u32         $r1, s[pitch], $r1
.endr
    \order
    \source         12, 8
    \source         13, 9
    \source         14, 10
.rept 3, i
    mad.f32         $r5, $r(15+i), $r(12+i), $r5
    mad.f32         $r6, $r(18+i), $r(12+i), $r6
    mad.f32         $r11, $r(21+i), $r(12+i), $r11
.endr
    sub.u32         $p0|$r3, $r3, $r4
@$p0.ne bra.label   next\@
    \order\()_y
    mov.u32         g[$r0], $r5
    add.u32         $r0, $r0, $r1
    mov.u32         g[$r0], $r6
    add.u32         $r0, $r0, $r1
    mov.u32         g[$r0], $r11
    return
}
.endm

ell ell, from_memory
ell ell_tex, from_texture
bell bell, straight, from_memory
bell bell_tex, straight, from_texture
bell belliv, interleaved, from_memory
bell belliv_tex, interleaved, from_texture
