// SPDX-License-Identifier: Apache-2.0
// Five-point stencil: out = centre * in + side * (left + right + above + below); the border of the field is copied.
// Each block of 16x16 threads works from an 18x18 tile in shared memory: its own elements and a halo of one.
// width and height are multiples of 16.
.equ row_words, 18
.equ row_bytes, 4 * row_words

.entry stencil2d
{
  .param ptr in
  .param ptr out
  .param u32 width
  .param u32 height
  .param f32 centre
  .param f32 side
  .shared tile, 18 * row_bytes

    and.b32         $r1, $r0, 0x0000ffff            // thread index x
    shr.u32         $r2, $r0, 16                    // thread index y
    mov.b16         $r3.lo, %ntid.x
    mov.b16         $r3.hi, %ntid.y
    mad24.lo.u32.u16.u16.u32 $r4, %ctaid.x, $r3.lo, $r1   // column
    mad24.lo.u32.u16.u16.u32 $r5, %ctaid.y, $r3.hi, $r2   // row
    mov.b32         $r14, s[width]
    sub.u32         $r14, $r14, 1                   // last column
    mov.b32         $r15, s[height]
    sub.u32         $r15, $r15, 1                   // last row

    mul24.lo.u32    $r6, $r2, row_words
    add.u32         $r6, $r6, $r1
    movsh.b32       $ofs1, $r6, 2                   // one row up and one column left of the thread's element
    add.b32         $ofs2, $ofs1, row_bytes         // its own row
    add.b32         $ofs3, $ofs2, row_bytes         // one row down

    mad24.lo.u32    $r7, s[width], $r5, $r4         // row * width + column
    shl.u32         $r7, $r7, 2
    add.u32         $r8, s[in], $r7
    mov.u32         $r9, g[$r8]
    mov.b32         s[$ofs2+tile+4], $r9

    // The halo. Outside the field the nearest element is read: its value is not used.
    join.label      above_done
    set.ne.u32      $p0|$o127, $r2, $r124           // $r124 reads as zero
@$p0.ne bra.label above_done
    sub.u32         $r10, $r5, 1
    max.s32         $r10, $r10, $r124
    mad24.lo.u32    $r10, s[width], $r10, $r4
    shl.u32         $r10, $r10, 2
    add.u32         $r10, s[in], $r10
    mov.u32         $r11, g[$r10]
    mov.b32         s[$ofs1+tile+4], $r11
above_done:
    nop.join

    join.label      below_done
    mov.b32         $r12, 0x0000000f
    set.ne.u32      $p0|$o127, $r2, $r12
@$p0.ne bra.label below_done
    add.u32         $r10, $r5, 1
    min.s32         $r10, $r10, $r15
    mad24.lo.u32    $r10, s[width], $r10, $r4
    shl.u32         $r10, $r10, 2
    add.u32         $r10, s[in], $r10
    mov.u32         $r11, g[$r10]
    mov.b32         s[$ofs3+tile+4], $r11
below_done:
    nop.join

    join.label      left_done
    set.ne.u32      $p0|$o127, $r1, $r124
@$p0.ne bra.label left_done
    sub.u32         $r10, $r4, 1
    max.s32         $r10, $r10, $r124
    mad24.lo.u32    $r10, s[width], $r5, $r10
    shl.u32         $r10, $r10, 2
    add.u32         $r10, s[in], $r10
    mov.u32         $r11, g[$r10]
    mov.b32         s[$ofs2+tile], $r11
left_done:
    nop.join

    join.label      right_done
    set.ne.u32      $p0|$o127, $r1, $r12
@$p0.ne bra.label right_done
    add.u32         $r10, $r4, 1
    min.s32         $r10, $r10, $r14
    mad24.lo.u32    $r10, s[width], $r5, $r10
    shl.u32         $r10, $r10, 2
    add.u32         $r10, s[in], $r10
    mov.u32         $r11, g[$r10]
    mov.b32         s[$ofs2+tile+8], $r11
right_done:
    nop.join
    bar.sync.u32    0x00000000

    mov.b32         $r10, s[$ofs2+tile]             // left
    add.f32         $r10, s[$ofs2+tile+8], $r10     // right
    add.f32         $r10, s[$ofs1+tile+4], $r10     // above
    add.f32         $r10, s[$ofs3+tile+4], $r10     // below
    mul.f32         $r10, s[side], $r10
    mad.f32         $r10, s[centre], $r9, $r10

    // First and last row and column: column - 1 >= last column - 1 as unsigned numbers, and the same for rows.
    sub.u32         $r4, $r4, 1
    sub.u32         $r5, $r5, 1
    sub.u32         $r14, $r14, 1
    sub.u32         $r15, $r15, 1
    set.ge.u32      $p0|$o127, $r4, $r14
    set.ge.u32      $p1|$o127, $r5, $r15
@$p0.ne mov.b32     $r10, $r9
@$p1.ne mov.b32     $r10, $r9
    add.u32         $r7, s[out], $r7
    mov.u32         g[$r7], $r10
    return
}
