// SPDX-License-Identifier: Apache-2.0
// Rotations of a panel applied to the columns of a matrix, one column per block (Ye 2009, section 4.3.2: GSMP, the
// panel-based Givens QR whose scratchpad holds one column). The column stays in shared memory for all columns of the
// panel. Each panel column has one rotation per row: in the internal phase (IP) thread t rotates its rows t + p, t + 2p, ...
// with its first row t; in the recursive phase (RP) rows t and t + s follow for s = 1, 2, 4, ... with a barrier after each.
// A rotation is its cosine, one word; the sine is the root of 1 - c * c. Block: p threads, a power of two that divides m.
.entry givens_panel
{
  .param ptr column                // of m words each
  .param ptr cosine                // m words for each column of the panel
  .param u32 m
  .param u32 panel
    // The column lies behind the parameters, in dynamic shared memory.
  .shared words, 16
    and.b32         $r0, $r0, 0x0000ffff
    mov.u32.u16     $r1, %ntid.x                    // p
    shl.u32         $r2, $r0, 2
    shl.u32         $r3, $r1, 2                     // bytes from one row of a thread to the next
    mov.b32         $r4, s[m]
    shl.u32         $r4, $r4, 2
    mov.u32.u16     $r5, %ctaid.x
    mul24.lo.u32    $r5, $r5, $r4
    add.u32         $r5, s[column], $r5             // the column
    mov.b32         $r6, $r2
load:
    add.u32         $r7, $r5, $r6
    mov.u32         $r7, g[$r7]
    movsh.b32       $ofs1, $r6, 0
    add.b32         $ofs1, $ofs1, words
    mov.b32         s[$ofs1], $r7
    add.u32         $r6, $r6, $r3
    set.lt.u32      $p0|$o127, $r6, $r4
@$p0.ne bra.label   load
    mov.b32         $r8, s[cosine]
    mov.b32         $r9, s[panel]
    mov.b32         $r15, 0x3f800000
    movsh.b32       $ofs2, $r2, 0
    add.b32         $ofs2, $ofs2, words             // row t
next_column:
    mov.b32         $r10, s[$ofs2]                  // row t stays in a register for the internal phase
    add.u32         $r6, $r2, $r3
    set.ge.u32      $p0|$o127, $r6, $r4
@$p0.ne bra.label   recursive                       // m = p: no internal phase
internal:
    add.u32         $r7, $r8, $r6
    mov.u32         $r11, g[$r7]                    // c
    mad.f32         $r12, -$r11, $r11, $r15
    rsqrt.f32       $r13, $r12
    mul.f32         $r12, $r12, $r13                // s
    movsh.b32       $ofs1, $r6, 0
    add.b32         $ofs1, $ofs1, words
    mov.b32         $r13, s[$ofs1]
    mul.f32         $r14, $r11, $r10
    mad.f32         $r14, $r12, $r13, $r14          // c * upper + s * lower
    mul.f32         $r13, $r11, $r13
    mad.f32         $r13, -$r12, $r10, $r13         // c * lower - s * upper
    mov.b32         $r10, $r14
    mov.b32         s[$ofs1], $r13
    add.u32         $r6, $r6, $r3
    set.lt.u32      $p0|$o127, $r6, $r4
@$p0.ne bra.label   internal
    mov.b32         s[$ofs2], $r10
recursive:
    mov.b32         $r5, 1                         // s
    bar.sync.u32    0
step:
    shl.u32         $r6, $r5, 1
    sub.u32         $r6, $r6, 1
    and.b32         $r6, $r6, $r0
    set.eq.u32      $p0|$o127, $r6, $r124           // t is a multiple of 2s
    join.label      rotated
@$p0.eq bra.label   rotated
    add.u32         $r6, $r0, $r5
    shl.u32         $r6, $r6, 2
    add.u32         $r7, $r8, $r6
    mov.u32         $r11, g[$r7]
    mad.f32         $r12, -$r11, $r11, $r15
    rsqrt.f32       $r13, $r12
    mul.f32         $r12, $r12, $r13
    movsh.b32       $ofs1, $r6, 0
    add.b32         $ofs1, $ofs1, words
    mov.b32         $r10, s[$ofs2]
    mov.b32         $r13, s[$ofs1]
    mul.f32         $r14, $r11, $r10
    mad.f32         $r14, $r12, $r13, $r14
    mul.f32         $r13, $r11, $r13
    mad.f32         $r13, -$r12, $r10, $r13
    mov.b32         s[$ofs2], $r14
    mov.b32         s[$ofs1], $r13
rotated:
    nop.join
    bar.sync.u32    0
    shl.u32         $r5, $r5, 1
    set.lt.u32      $p0|$o127, $r5, $r1
@$p0.ne bra.label   step
    add.u32         $r8, $r8, $r4                   // rotations of the next column of the panel
    sub.u32         $r9, $r9, 1
    set.ne.u32      $p0|$o127, $r9, $r124
@$p0.ne bra.label   next_column
    mov.u32.u16     $r5, %ctaid.x
    mul24.lo.u32    $r5, $r5, $r4
    add.u32         $r5, s[column], $r5             // $r5 was lent: 512 threads have 16 registers each
    mov.b32         $r6, $r2
store:
    movsh.b32       $ofs1, $r6, 0
    add.b32         $ofs1, $ofs1, words
    mov.b32         $r7, s[$ofs1]
    add.u32         $r10, $r5, $r6
    mov.u32         g[$r10], $r7
    add.u32         $r6, $r6, $r3
    set.lt.u32      $p0|$o127, $r6, $r4
@$p0.ne bra.label   store
    return
}
