// SPDX-License-Identifier: Apache-2.0
// Tridiagonal systems a[i] x[i-1] + b[i] x[i] + c[i] x[i+1] = d[i] of N equations by cyclic reduction in shared memory, one
// system per block (Zhang, Cohen & Owens 2010; Zhang & Owens 2011, section 5.2). In each of nine steps forward, half as many
// threads as before each remove two unknowns from an equation; nine steps back put the solutions in. The distance of
// neighbouring threads doubles with each step, and with it the bank conflicts. `cr_nbc` leaves out every 17th word, which
// spreads them over the banks.
// a[0] and c[N-1] of each system count as 0. Grid: the number of systems. Block: N / 2 threads.
.arch sm_11                       // loads from shared memory reach all of it
.equ N, 512
.equ STEPS, 9
.equ HALF, N/2

.macro address_cr ofs, index
    movsh.b32       \ofs, \index, 2
.endm
.macro address_cr_nbc ofs, index
    shr.u32         $r20, \index, 4
    add.u32         $r20, $r20, \index
    movsh.b32       \ofs, $r20, 2
.endm

.macro load_array from, to
    add.u32         $r2, s[\from], $r1
    mov.u32         $r3, g[$r2]
    add.u32         $r2, $r2, 4*HALF
    mov.u32         $r4, g[$r2]
    mov.b32         s[$ofs1+\to], $r3
    mov.b32         s[$ofs2+\to], $r4
.endm

.macro solver name, words
.entry \name
{
  .equ W, 4*(\words)
  .param ptr in_a
  .param ptr in_b
  .param ptr in_c
  .param ptr in_d
  .param ptr out_x
  .shared a, W
  .shared b, W
  .shared c, W
  .shared d, W
  .shared x, W
    and.b32         $r0, $r0, 0x0000ffff
    mov.u32.u16     $r1, %ctaid.x
    shl.u32         $r1, $r1, STEPS
    add.u32         $r1, $r1, $r0
    shl.u32         $r1, $r1, 2
    address_\name   $ofs1, $r0
    add.u32         $r2, $r0, HALF
    address_\name   $ofs2, $r2
    load_array      in_a, a
    load_array      in_b, b
    load_array      in_c, c
    load_array      in_d, d
    mov.b32         $r10, HALF-1
    mov.b32         $r22, 0x00000000
    set.eq.u32      $p0|$o127, $r0, $r124           // $r124 is 0
@$p0.ne mov.b32     s[$ofs1+a], $r22
@$p0.ne mov.b32     s[$ofs1+x], $r22               // read, times 0, before it is known
    set.eq.u32      $p0|$o127, $r0, $r10
@$p0.ne mov.b32     s[$ofs2+c], $r22
    mov.b32         $r5, HALF                       // threads of the step
    mov.b32         $r6, 1                          // its number; neighbouring threads are 2^step equations apart
    mov.b32         $r7, 1                          // 2^(step - 1)
    mov.b32         $r19, N-1
    mov.b32         $r21, 1
    bar.sync.u32    0
forward\@:
    set.lt.u32      $p0|$o127, $r0, $r5
    join.label      reduced\@
@$p0.eq bra.label   reduced\@
    add.u32         $r8, $r0, 1
    shl.u32         $r8, $r8, $r6
    sub.u32         $r8, $r8, 1                     // this equation
    sub.u32         $r9, $r8, $r7                   // the one on its left
    add.u32         $r10, $r8, $r7                  // and on its right, at most the last
    min.u32         $r10, $r10, $r19
    address_\name   $ofs1, $r8
    address_\name   $ofs2, $r9
    address_\name   $ofs3, $r10
    mov.b32         $r11, s[$ofs2+b]
    mov.b32         $r12, s[$ofs3+b]
    rcp.f32         $r11, $r11
    rcp.f32         $r12, $r12
    mov.b32         $r13, s[$ofs1+a]
    mov.b32         $r14, s[$ofs1+c]
    mul.f32         $r11, $r13, $r11                // a / b on the left
    mul.f32         $r12, $r14, $r12                // c / b on the right
    mov.b32         $r13, s[$ofs2+c]
    mov.b32         $r14, s[$ofs3+a]
    mov.b32         $r15, s[$ofs1+b]
    mad.f32         $r15, -$r13, $r11, $r15
    mad.f32         $r15, -$r14, $r12, $r15
    mov.b32         $r13, s[$ofs2+d]
    mov.b32         $r14, s[$ofs3+d]
    mov.b32         $r16, s[$ofs1+d]
    mad.f32         $r16, -$r13, $r11, $r16
    mad.f32         $r16, -$r14, $r12, $r16
    mov.b32         $r13, s[$ofs2+a]
    mov.b32         $r14, s[$ofs3+c]
    mul.f32         $r13, -$r13, $r11
    mul.f32         $r14, -$r14, $r12
    mov.b32         s[$ofs1+b], $r15
    mov.b32         s[$ofs1+d], $r16
    mov.b32         s[$ofs1+a], $r13
    mov.b32         s[$ofs1+c], $r14
reduced\@:
    nop.join
    bar.sync.u32    0
    shr.u32         $r5, $r5, 1
    shl.u32         $r7, $r7, 1
    add.u32         $r6, $r6, 1
    set.ne.u32      $p1|$o127, $r5, $r124
@$p1.ne bra.label   forward\@
    // One equation is left. In the steps back, x of its neighbours at 2^(step - 1) is known.
    mov.b32         $r5, 1                          // threads of the step
    set.eq.u32      $p0|$o127, $r0, $r124
    join.label      last\@
@$p0.eq bra.label   last\@
    address_\name   $ofs1, $r19
    mov.b32         $r11, s[$ofs1+b]
    rcp.f32         $r11, $r11
    mov.b32         $r12, s[$ofs1+d]
    mul.f32         $r11, $r12, $r11
    mov.b32         s[$ofs1+x], $r11
last\@:
    nop.join
back\@:
    sub.u32         $r6, $r6, 1
    shr.u32         $r7, $r7, 1
    bar.sync.u32    0
    set.lt.u32      $p0|$o127, $r0, $r5
    join.label      put\@
@$p0.eq bra.label   put\@
    shl.u32         $r8, $r0, $r6
    add.u32         $r8, $r8, $r7
    sub.u32         $r8, $r8, 1
    sub.u32         $r9, $r8, $r7
    max.s32         $r9, $r9, $r124
    add.u32         $r10, $r8, $r7
    address_\name   $ofs1, $r8
    address_\name   $ofs2, $r9
    address_\name   $ofs3, $r10
    mov.b32         $r11, s[$ofs1+b]
    rcp.f32         $r11, $r11
    mov.b32         $r12, s[$ofs1+d]
    mov.b32         $r13, s[$ofs1+a]
    mov.b32         $r14, s[$ofs2+x]
    mad.f32         $r12, -$r13, $r14, $r12
    mov.b32         $r13, s[$ofs1+c]
    mov.b32         $r14, s[$ofs3+x]
    mad.f32         $r12, -$r13, $r14, $r12
    mul.f32         $r12, $r12, $r11
    mov.b32         s[$ofs1+x], $r12
put\@:
    nop.join
    shl.u32         $r5, $r5, 1
    set.gt.u32      $p1|$o127, $r7, $r21            // $r21 is 1
@$p1.ne bra.label   back\@
    bar.sync.u32    0
    address_\name   $ofs1, $r0
    add.u32         $r2, $r0, HALF
    address_\name   $ofs2, $r2
    mov.b32         $r3, s[$ofs1+x]
    mov.b32         $r4, s[$ofs2+x]
    add.u32         $r2, s[out_x], $r1
    mov.u32         g[$r2], $r3
    add.u32         $r2, $r2, 4*HALF
    mov.u32         g[$r2], $r4
    return
}
.endm

solver cr, N
solver cr_nbc, N+N/16
