// SPDX-License-Identifier: Apache-2.0
// Tridiagonal systems a[i] x[i-1] + b[i] x[i] + c[i] x[i+1] = d[i], one per block, in shared memory.
// `cyclic`: cyclic reduction (Zhang, Cohen & Owens 2010). In each step forward, half as many threads as before each remove
// two unknowns from an equation; two equations are left; as many steps back put the solutions in. Neighbouring threads
// work on equations 2, 4, 8, ... apart: conflicts of degree 2, 4, 8, 16. Block: half as many threads as equations.
// `cyclic_padded`: every 17th word is left out, which spreads them over the banks (Zhang & Owens 2011, section 5.2).
// `parallel`: parallel cyclic reduction. Each thread keeps an equation and removes two unknowns from it in every step,
// until pairs of equations are left, half of the system apart. Block: as many threads as equations.
// a[0] and the last c of each system count as 0. Grid: the number of systems, of 512 equations at most.
//
// As in the authors' later library the number of equations is known at run time only: each array but the first has its
// place in a register, and each word's address takes an addition and a shift. Products of integers are of 32 bits, and
// quotients take 36 SP cycles per warp (NVIDIA CUDA Programming Guide 2.3, section 5.1.1.1).
.arch sm_11                       // loads from shared memory reach all of it
.equ N, 512                       // the most equations
.equ WORDS, N+N/16

.macro scaled to, index           // from equations to bytes
    shl.u32         \to, \index, 2
.endm
.macro scaled_padded to, index
    shr.u32         $r20, \index, 4
    add.u32         $r20, $r20, \index
    shl.u32         \to, $r20, 2
.endm

// How often `half` can be halved: the steps forward, and back.
.macro steps half
    cvt.rn.f32.u32  $r3, \half
    lg2.f32         $r3, $r3
    cvt.rzi.s32.f32 $r3, $r3
.endm

.macro place ofs, array, bytes
    add.u32         $r20, \array, \bytes
    movsh.b32       \ofs, $r20, 0
.endm

// The reciprocal of what is above 2^126 is a denormal, which counts as 0, so both numbers are made smaller there.
.macro divide quotient, dividend, divisor
    set.gt.u32.f32.f32 $p0|$o127, |\divisor|, c1[large]
    mul.f32         $r23, \dividend, 0.25
    mul.f32         $r24, \divisor, 0.25
@$p0.ne mov.b32     \dividend, $r23
@$p0.ne mov.b32     \divisor, $r24
    rcp.f32         \divisor, \divisor
    mul.f32         \quotient, \dividend, \divisor
.endm

// $r0 * by, in 32 bits.
.macro times_thread to, by_lo, by_hi
    mul24.lo.u32.u16.u16     \to, $r0.lo, \by_hi
    mad24.lo.u32.u16.u16.u32 \to, $r0.hi, \by_lo, \to
    shl.u32         \to, \to, 16
    mad24.lo.u32.u16.u16.u32 \to, $r0.lo, \by_lo, \to
.endm

// The equation at $r8 less a multiple of the one on its left, at $r9, and of the one on its right, at $r10.
.macro eliminate
    movsh.b32       $ofs1, $r8, 0
    mov.b32         $r13, s[$ofs1+a]
    place           $ofs2, $r25, $r9
    mov.b32         $r11, s[$ofs2+a]                // b on the left
    place           $ofs3, $r26, $r8
    mov.b32         $r14, s[$ofs3+a]
    place           $ofs2, $r25, $r10
    mov.b32         $r12, s[$ofs2+a]                // b on the right
    divide          $r11, $r13, $r11
    divide          $r12, $r14, $r12
    place           $ofs4, $r25, $r8
    mov.b32         $r15, s[$ofs4+a]
    place           $ofs2, $r26, $r9
    movsh.b32       $ofs5, $r10, 0
    mad.f32         $r15, -s[$ofs2+a], $r11, $r15
    place           $ofs6, $r27, $r8
    mad.f32         $r15, -s[$ofs5+a], $r12, $r15
    mov.b32         $r16, s[$ofs6+a]
    place           $ofs2, $r27, $r9
    place           $ofs5, $r27, $r10
    mad.f32         $r16, -s[$ofs2+a], $r11, $r16
    movsh.b32       $ofs2, $r9, 0
    mad.f32         $r16, -s[$ofs5+a], $r12, $r16
    place           $ofs5, $r26, $r10
    mul.f32         $r17, -s[$ofs2+a], $r11
    mul.f32         $r18, -s[$ofs5+a], $r12
.endm
.macro keep
    mov.b32         s[$ofs4+a], $r15
    mov.b32         s[$ofs6+a], $r16
    mov.b32         s[$ofs1+a], $r17
    mov.b32         s[$ofs3+a], $r18
.endm

// No unknown is on the left of the first equation and on the right of the last, at `bytes`.
.macro close bytes
    set.eq.u32      $p0|$o127, $r0, $r22
    movsh.b32       $ofs1, $r8, 0
@$p0.ne mov.b32     s[$ofs1+a], $r22
    add.u32         $r2, $r0, 1
    mov.u32.u16     $r3, %ntid.x
    set.eq.u32      $p0|$o127, $r2, $r3
    place           $ofs1, $r26, \bytes
@$p0.ne mov.b32     s[$ofs1+a], $r22
.endm

// Two equations, at $r8 and $r10, of the same two unknowns, which take the places of these in x.
.macro solve_two
    place           $ofs1, $r25, $r8
    mov.b32         $r11, s[$ofs1+a]
    place           $ofs1, $r25, $r10
    mov.b32         $r12, s[$ofs1+a]
    place           $ofs1, $r26, $r8
    mov.b32         $r13, s[$ofs1+a]
    movsh.b32       $ofs1, $r10, 0
    mov.b32         $r14, s[$ofs1+a]
    place           $ofs1, $r27, $r8
    mov.b32         $r15, s[$ofs1+a]
    place           $ofs1, $r27, $r10
    mov.b32         $r16, s[$ofs1+a]
    mul.f32         $r17, $r12, $r11
    mad.f32         $r17, -$r13, $r14, $r17
    mul.f32         $r12, $r12, $r15
    mad.f32         $r12, -$r13, $r16, $r12
    mul.f32         $r11, $r16, $r11
    mad.f32         $r11, -$r15, $r14, $r11
    mov.b32         $r18, $r17
    divide          $r12, $r12, $r17
    divide          $r11, $r11, $r18
    place           $ofs1, $r28, $r8
    mov.b32         s[$ofs1+a], $r12
    place           $ofs1, $r28, $r10
    mov.b32         s[$ofs1+a], $r11
.endm

.macro load_word from, array, bytes, at
    add.u32         $r2, s[\from], \at
    mov.u32         $r3, g[$r2]
    place           $ofs1, \array, \bytes
    mov.b32         s[$ofs1+a], $r3
.endm
.macro store_word array, bytes, at
    place           $ofs1, \array, \bytes
    mov.b32         $r3, s[$ofs1+a]
    add.u32         $r2, s[out_x], \at
    mov.u32         g[$r2], $r3
.endm

// $r0: the thread, of $r4 equations. $r1: where its first word lies in global memory. $r25 to $r28: where b, c, d and x
// begin, `bytes` apart.
.macro begin bytes
    mov.u32.u16     $r1, %ctaid.x
    mul24.lo.u32.u16.u16     $r1, $r1.lo, $r4.lo
    add.u32         $r1, $r1, $r0
    shl.u32         $r1, $r1, 2
    mov.b32         $r22, 0x00000000
    mov.b32         $r25, \bytes
    add.u32         $r26, $r25, $r25
    add.u32         $r27, $r26, $r25
    add.u32         $r28, $r27, $r25
.endm

.macro reduction name, pad, words
.entry \name
{
  .param ptr in_a
  .param ptr in_b
  .param ptr in_c
  .param ptr in_d
  .param ptr out_x
  .shared a, 20*(\words)
  .const large c1 : u32 0x7e800000
    and.b32         $r0, $r0, 0x0000ffff
    mov.u32.u16     $r5, %ntid.x                    // threads of the step
    shl.u32         $r4, $r5, 1
    begin           4*(\words)
    shl.u32         $r2, $r5, 2
    add.u32         $r29, $r1, $r2
    add.u32         $r2, $r0, $r5
    scaled\pad      $r8, $r0
    scaled\pad      $r9, $r2
    load_word       in_a, $r22, $r8, $r1
    load_word       in_a, $r22, $r9, $r29
    load_word       in_b, $r25, $r8, $r1
    load_word       in_b, $r25, $r9, $r29
    load_word       in_c, $r26, $r8, $r1
    load_word       in_c, $r26, $r9, $r29
    load_word       in_d, $r27, $r8, $r1
    load_word       in_d, $r27, $r9, $r29
    close           $r9
    mov.b32         $r6, 1                          // 2^step
    mov.b32         $r7, 0                          // the step
    sub.u32         $r19, $r4, 1
    steps           $r5
forward\@:
    bar.sync.u32    0
    mov.b32         $r21, $r6
    shl.u32         $r6, $r6, 1
    set.lt.s32      $p0|$o127, $r0, $r5
    join.label      reduced\@
@$p0.eq bra.label   reduced\@
    times_thread    $r8, $r6.lo, $r6.hi
    add.u32         $r8, $r8, $r6
    sub.u32         $r8, $r8, 1                     // this equation
    sub.u32         $r9, $r8, $r21                  // the one on its left
    add.u32         $r10, $r8, $r21                 // and on its right, at most the last
    set.gt.s32      $p0|$o127, $r10, $r19
@$p0.ne mov.b32     $r10, $r19
    scaled\pad      $r8, $r8
    scaled\pad      $r9, $r9
    scaled\pad      $r10, $r10
    eliminate
    keep
reduced\@:
    nop.join
    shr.s32         $r5, $r5, 1
    add.u32         $r7, $r7, 1
    set.ne.s32      $p0|$o127, $r7, $r3
@$p0.ne bra.label   forward\@
    mov.b32         $r2, 2
    set.lt.s32      $p0|$o127, $r0, $r2
    join.label      solved\@
@$p0.eq bra.label   solved\@
    sub.u32         $r8, $r6, 1
    shl.u32         $r10, $r6, 1
    sub.u32         $r10, $r10, 1
    scaled\pad      $r8, $r8
    scaled\pad      $r10, $r10
    solve_two
solved\@:
    nop.join
    mov.b32         $r5, 2
    mov.b32         $r7, 0
back\@:
    shr.s32         $r21, $r6, 1
    bar.sync.u32    0
    set.lt.s32      $p0|$o127, $r0, $r5
    join.label      put\@
@$p0.eq bra.label   put\@
    times_thread    $r8, $r6.lo, $r6.hi
    add.u32         $r8, $r8, $r21
    sub.u32         $r8, $r8, 1
    add.u32         $r10, $r8, $r21
    sub.u32         $r9, $r8, $r21
    sub.u32         $r2, $r21, 1
    set.eq.s32      $p1|$o127, $r8, $r2             // nothing on its left
    scaled\pad      $r8, $r8
    scaled\pad      $r9, $r9
    scaled\pad      $r10, $r10
    place           $ofs1, $r27, $r8
    mov.b32         $r12, s[$ofs1+a]
    join.label      first\@
@$p1.ne bra.label   first\@
    movsh.b32       $ofs2, $r8, 0
    place           $ofs3, $r28, $r9
    mov.b32         $r13, s[$ofs2+a]
    mad.f32         $r12, -s[$ofs3+a], $r13, $r12
first\@:
    nop.join
    place           $ofs2, $r26, $r8
    place           $ofs3, $r28, $r10
    mov.b32         $r13, s[$ofs2+a]
    place           $ofs4, $r25, $r8
    mad.f32         $r12, -s[$ofs3+a], $r13, $r12
    mov.b32         $r11, s[$ofs4+a]
    place           $ofs1, $r28, $r8
    divide          $r12, $r12, $r11
    mov.b32         s[$ofs1+a], $r12
put\@:
    nop.join
    shr.s32         $r6, $r6, 1
    shl.u32         $r5, $r5, 1
    add.u32         $r7, $r7, 1
    set.ne.s32      $p0|$o127, $r7, $r3
@$p0.ne bra.label   back\@
    bar.sync.u32    0
    shr.u32         $r5, $r4, 1
    add.u32         $r2, $r0, $r5
    scaled\pad      $r8, $r0
    scaled\pad      $r9, $r2
    store_word      $r28, $r8, $r1
    store_word      $r28, $r9, $r29
    return
}
.endm

reduction cyclic, , N
reduction cyclic_padded, _padded, WORDS

.entry parallel
{
  .param ptr in_a
  .param ptr in_b
  .param ptr in_c
  .param ptr in_d
  .param ptr out_x
  .shared a, 20*N
  .const large c1 : u32 0x7e800000
    and.b32         $r0, $r0, 0x0000ffff
    mov.u32.u16     $r4, %ntid.x
    begin           4*N
    scaled          $r8, $r0
    load_word       in_a, $r22, $r8, $r1
    load_word       in_b, $r25, $r8, $r1
    load_word       in_c, $r26, $r8, $r1
    load_word       in_d, $r27, $r8, $r1
    close           $r8
    mov.b32         $r5, 1                          // how far apart the unknowns of an equation are
    mov.b32         $r7, 0
    sub.u32         $r19, $r4, 1
    shr.u32         $r2, $r4, 1
    steps           $r2
    bar.sync.u32    0
step:
    add.u32         $r10, $r0, $r5
    sub.u32         $r9, $r0, $r5
    set.gt.s32      $p0|$o127, $r10, $r19
@$p0.ne mov.b32     $r10, $r19
    max.s32         $r9, $r9, $r22
    scaled          $r9, $r9
    scaled          $r10, $r10
    eliminate
    bar.sync.u32    0
    keep
    shl.u32         $r5, $r5, 1
    add.u32         $r7, $r7, 1
    set.ne.s32      $p1|$o127, $r7, $r3
    bar.sync.u32    0
@$p1.ne bra.label   step
    set.lt.s32      $p0|$o127, $r0, $r5
    join.label      solved
@$p0.eq bra.label   solved
    add.u32         $r10, $r0, $r5
    scaled          $r10, $r10
    solve_two
solved:
    nop.join
    bar.sync.u32    0
    store_word      $r28, $r8, $r1
    return
}
