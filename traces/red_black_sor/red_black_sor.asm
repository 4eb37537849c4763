// SPDX-License-Identifier: Apache-2.0
// The red phase of successive over-relaxation in double precision (Konstantinidis 2017, sections 4.3 and 5.1.1): red and
// black elements are two matrices; red (h, j) is element 2h + j % 2 of row j. Its neighbours are black (h, j - 1),
// (h, j), (h, j + 1), and (h - 1, j) in even or (h + 1, j) in odd rows. Blocks of 16 x 16 threads share the black elements
// through shared memory. Both matrices have a border of one row above and below and 16 columns on the left and right, so
// that rows of a block are aligned; only the inner elements are computed. Grid: width / 16, height / 16.
.arch sm_13
.equ EDGE, 16
.equ ROW, 8*(EDGE+2)              // from one row of the tile to the next
.equ TILE, ROW*(EDGE+2)

.macro fetch from, ofs            // one element from global to shared memory
    mov.b64         $r6, g[\from]
    mov.b32         s[\ofs], $r6
    mov.b32         s[\ofs+4], $r7
.endm

.macro plus ofs                   // $r10 += element of the tile
    mov.b32         $r12, s[\ofs]
    mov.b32         $r13, s[\ofs+4]
    add.rn.f64      $r10, $r10, $r12
.endm

.entry red_black_sor
{
  .param ptr red
  .param ptr black
  .param u32 pitch                // bytes from one row to the next, of both
  .param u32 pad
  .param u32 keep_low             // 1 - omega
  .param u32 keep_high
  .param u32 share_low            // omega / 4
  .param u32 share_high
  .shared tile, TILE
    and.b32         $r1, $r0, 0x0000ffff            // x
    shr.u32         $r2, $r0, 16                    // y
    mov.u32.u16     $r3, %ctaid.x
    mov.u32.u16     $r4, %ctaid.y
    shl.u32         $r3, $r3, 4
    shl.u32         $r4, $r4, 4
    add.u32         $r3, $r3, $r1
    add.u32         $r4, $r4, $r2
    add.u32         $r4, $r4, 1                     // row, with the border
    mov.b32         $r5, s[pitch]
    mul24.lo.u32    $r0, $r4, $r5
    add.u32         $r3, $r3, 16
    shl.u32         $r3, $r3, 3
    add.u32         $r0, $r0, $r3                   // where the element stands in both matrices
    add.u32         $r3, s[black], $r0
    mov.b32         $r8, ROW
    mul24.lo.u32    $r9, $r2, $r8
    shl.u32         $r8, $r1, 3
    add.u32         $r9, $r9, $r8
    movsh.b32       $ofs1, $r9, 0
    add.b32         $ofs1, $ofs1, tile+ROW+8        // tile[y + 1][x + 1]
    fetch           $r3, $ofs1
    // The first two rows of threads bring the rows above and below, the first two columns those on the sides.
    set.eq.u32      $p0|$o127, $r2, $r124
    join.label      above
@$p0.eq bra.label   above
    sub.u32         $r8, $r3, $r5
    add.b32         $ofs2, $ofs1, -ROW
    fetch           $r8, $ofs2
above:
    nop.join
    mov.b32         $r8, EDGE-1
    set.eq.u32      $p0|$o127, $r2, $r8
    join.label      below
@$p0.eq bra.label   below
    add.u32         $r8, $r3, $r5
    add.b32         $ofs2, $ofs1, ROW
    fetch           $r8, $ofs2
below:
    nop.join
    set.eq.u32      $p0|$o127, $r1, $r124
    join.label      left
@$p0.eq bra.label   left
    sub.u32         $r8, $r3, 8
    add.b32         $ofs2, $ofs1, -8
    fetch           $r8, $ofs2
left:
    nop.join
    mov.b32         $r8, EDGE-1
    set.eq.u32      $p0|$o127, $r1, $r8
    join.label      right
@$p0.eq bra.label   right
    add.u32         $r8, $r3, 8
    add.b32         $ofs2, $ofs1, 8
    fetch           $r8, $ofs2
right:
    nop.join
    bar.sync.u32    0
    mov.b32         $r10, s[$ofs1]
    mov.b32         $r11, s[$ofs1+4]
    add.b32         $ofs2, $ofs1, -ROW
    plus            $ofs2
    add.b32         $ofs2, $ofs1, ROW
    plus            $ofs2
    and.b32         $r8, $r4, 1
    set.eq.u32      $p0|$o127, $r8, $r124           // even rows: left, odd rows: right
    shl.u32         $r8, $r8, 4
    add.u32         $r9, $r9, $r8
    movsh.b32       $ofs2, $r9, 0
    add.b32         $ofs2, $ofs2, tile+ROW
    plus            $ofs2
    add.u32         $r0, s[red], $r0
    mov.b64         $r6, g[$r0]
    mov.b32         $r12, s[keep_low]
    mov.b32         $r13, s[keep_high]
    mul.rn.f64      $r6, $r6, $r12
    mov.b32         $r12, s[share_low]
    mov.b32         $r13, s[share_high]
    mad.rn.f64      $r6, $r10, $r12, $r6
    mov.b64         g[$r0], $r6
    return
}
