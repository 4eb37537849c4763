// SPDX-License-Identifier: Apache-2.0
// Sums of 32-bit integers after Harris (2007), "Optimizing parallel reduction in CUDA": its seven steps, with blocks of 128
// threads and one sum per block. Each step takes away what the one before spent its time on.
.equ THREADS, 128

// ---- parts -------------------------------------------------------------------------------------------------------------

// $r1 = thread, $r2 = word of `in`: one for each thread of the grid.
.macro bring_one
    mov.b16         $r0.hi, %ntid.x
    cvt.u32.u16     $r1, $r0.lo
    mad24.lo.u32.u16.u16.u32 $r2, %ctaid.x, $r0.hi, $r1
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[in], $r2
    mov.u32         $r2, g[$r2]
.endm

// result = a * b in 32 bits, from products of 16: the chip has no such multiplication.
.macro multiply_words result, a, b
    mul24.lo.u32.u16.u16     \result, \a.lo, \b.hi
    mad24.lo.u32.u16.u16.u32 \result, \a.hi, \b.lo, \result
    shl.u32         \result, \result, 16
    mad24.lo.u32.u16.u16.u32 \result, \a.lo, \b.lo, \result
.endm

// $r1 = thread, $r2 = sum of two words of `in` that lie a block apart, $r3 = threads. Twice the threads may have more than 16
// bits, so the compiler multiplied in 32.
.macro bring_two
    mov.b16         $r0.hi, %ntid.x
    cvt.u32.u16     $r1, $r0.lo
    cvt.u32.u16     $r3, $r0.hi
    cvt.u32.u16     $r2, %ctaid.x
    shl.u32         $r4, $r3, 1
    multiply_words  $r5, $r2, $r4
    add.u32         $r2, $r5, $r1
    shl.u32         $r2, $r2, 2
    shl.u32         $r4, $r3, 2
    add.half.b32    $r2, s[in], $r2
    add.half.b32    $r4, $r2, $r4
    mov.u32         $r2, g[$r2]
    mov.u32         $r4, g[$r4]
    movsh.b32       $ofs1, $r1, 2
    add.u32         $r2, $r2, $r4
.endm

// All threads add at half the block's distance, then at half of that, down to 1. Barriers in between.
.macro add_at_all_distances
    shr.u32         $p0|$r3, $r3, 1
@$p0.eq bra.label   summed
again:
    add_at_distance
    shr.u32         $p0|$r3, $r3, 1
@$p0.ne bra.label   again
summed:
.endm

// The first 64 of 128 threads add the word 64 away: all that is left of the loop where the block's size is known.
.macro add_upper_half
    set.lt.u32      $p0|$o127, $r1, c1[half]
@$p0.ne add.b32     $ofs2, $ofs1, 4*64
@$p0.ne mov.b32     $r2, s[$ofs2+data]
@$p0.ne add.u32     $r2, s[$ofs1+data], $r2
@$p0.ne mov.b32     s[$ofs1+data], $r2
    bar.sync        0
.endm

// The threads below distance $r3 add the word that far away. Predicated, as compilers did with so few instructions.
.macro add_at_distance
    set.gt.u32      $p0|$o127, $r3, $r1
@$p0.ne add.u32     $r2, $r1, $r3
@$p0.ne movsh.b32   $ofs2, $r2, 2
@$p0.ne mov.b32     $r2, s[$ofs2+data]
@$p0.ne add.u32     $r2, s[$ofs1+data], $r2
@$p0.ne mov.b32     s[$ofs1+data], $r2
    bar.sync        0
.endm

// The last 64 words by the first warp, which runs in step and needs no barriers. Its own sum stays in $r2.
// Upper lanes add words that nobody will use.
.macro last_warp
    set.ge.u32      $p0|$o127, $r1, c1[warp]
    join.label      others
@$p0.ne bra.label   others
    add.b32         $ofs2, $ofs1, 4*32
    mov.b32         $r2, s[$ofs2+data]
    add.u32         $r2, s[$ofs1+data], $r2
    mov.b32         s[$ofs1+data], $r2
.rept 5, i
    add.u32         $r2, s[$ofs1+data+(4*16 >> i)], $r2
    mov.b32         s[$ofs1+data], $r2
.endr
others:
    nop.join
.endm

// Thread 0: out[block] = data[0].
.macro store_sum
    cvt.u32.u32     $p0|$o127, $r1
@$p0.ne return
    mov.b32         $r2, s[data]
    cvt.u32.u16     $r1, %ctaid.x
    shl.u32         $r1, $r1, 2
    add.u32         $r1, s[out], $r1
.endm

// ---- step 1: threads whose number is a multiple of 2s add the word s away ------------------------------------------------

.entry reduction_modulo
{
  .param ptr in
  .param ptr out
  .shared data, 4*THREADS
    bring_one
    movsh.b32       $ofs1, $r1, 2
    mov.b32         s[$ofs1+data], $r2
    bar.sync        0
    cvt.u32.u16     $r2, $r0.hi
    mov.b32         $r3, 1                          // s
    set.le.u32      $p0|$o127, $r2, $r3
@$p0.ne bra.label   summed
again:
    shl.u32         $r5, $r3, 1
    mov.b32         $r4, $r1
    call.label      remainder                       // $r4 = thread modulo 2s
    cvt.u32.u32     $p0|$o127, $r4
@$p0.eq add.u32     $r4, $r1, $r3
@$p0.eq movsh.b32   $ofs2, $r4, 2
@$p0.eq mov.b32     $r4, s[$ofs2+data]
@$p0.eq add.u32     $r4, s[$ofs1+data], $r4
@$p0.eq mov.b32     s[$ofs1+data], $r4
    bar.sync        0
    mov.b32         $r3, $r5
    set.gt.u32      $p0|$o127, $r2, $r5
@$p0.ne bra.label   again
summed:
    store_sum
    mov.u32         g[$r1], $r2
    return

// $r4 modulo $r5: nobody tells the compiler that $r5 is a power of two. Compilers of 2007 divided in two parts, the upper 24
// bits and then the remainder with the lower 8, each by a truncated product with the reciprocal, whose result may be one too
// large; the second may also be one too small. Uses $r6 to $r9.
remainder:
    shr.u32         $r7, $r4, 8
    cvt.rz.f32.u32  $r6, $r7
    cvt.rn.f32.u32  $r8, $r5
    rcp.f32         $r9, $r8
    mul.rz.f32      $r6, $r6, $r9
    cvt.rzi.u32.f32 $r6, $r6
    multiply_words  $r8, $r5, $r6
    set.gt.u32      $p0|$o127, $r8, $r7
    subr.u32        $r6, $r5, $r8
@$p0.ne mov.b32     $r8, $r6
    sub.u32         $r7, $r7, $r8
    shl.u32         $r7, $r7, 8
    mov.b32         $r8, 0xff
    and.b32         $r4, $r4, $r8
    or.b32          $r4, $r7, $r4
    cvt.rz.f32.u32  $r7, $r4
    mul.rz.f32      $r7, $r7, $r9
    cvt.rzi.u32.f32 $r7, $r7
    multiply_words  $r8, $r5, $r7
    set.gt.u32      $p0|$o127, $r8, $r4
    subr.u32        $r6, $r5, $r8
@$p0.ne mov.b32     $r8, $r6
    sub.u32         $r4, $r4, $r8
    set.ge.u32      $p0|$o127, $r4, $r5
    subr.u32        $r6, $r5, $r4
@$p0.ne mov.b32     $r4, $r6
    return
    nop.end
}

// ---- step 2: the first threads add, words that lie 2s apart: no modulo, but conflicts in the banks --------------------------

.entry reduction_interleaved
{
  .param ptr in
  .param ptr out
  .shared data, 4*THREADS
    bring_one
    movsh.b32       $ofs1, $r1, 2
    mov.b32         s[$ofs1+data], $r2
    bar.sync        0
    cvt.u32.u16     $r2, $r0.hi
    mov.b32         $r3, 1                          // s
    set.le.u32      $p0|$o127, $r2, $r3
@$p0.ne bra.label   summed
again:
    shl.u32         $r5, $r3, 1
    multiply_words  $r4, $r1, $r5                   // word = thread * 2s
    set.gt.u32      $p0|$o127, $r2, $r4
@$p0.ne add.u32     $r6, $r4, $r3
@$p0.ne movsh.b32   $ofs2, $r6, 2
@$p0.ne movsh.b32   $ofs3, $r4, 2
@$p0.ne mov.b32     $r6, s[$ofs2+data]
@$p0.ne add.u32     $r6, s[$ofs3+data], $r6
@$p0.ne mov.b32     s[$ofs3+data], $r6
    bar.sync        0
    mov.b32         $r3, $r5
    set.gt.u32      $p0|$o127, $r2, $r5
@$p0.ne bra.label   again
summed:
    store_sum
    mov.end.u32     g[$r1], $r2
}

// ---- step 3: the first threads add consecutive words ---------------------------------------------------------------------

.entry reduction_sequential
{
  .param ptr in
  .param ptr out
  .shared data, 4*THREADS
    bring_one
    movsh.b32       $ofs1, $r1, 2
    mov.b32         s[$ofs1+data], $r2
    bar.sync        0
    cvt.u32.u16     $r3, $r0.hi
    add_at_all_distances
    store_sum
    mov.end.u32     g[$r1], $r2
}

// ---- step 4: two words per thread, the first addition while they are brought ---------------------------------------------

.entry reduction_first_add
{
  .param ptr in
  .param ptr out
  .shared data, 4*THREADS
    bring_two
    mov.b32         s[$ofs1+data], $r2
    bar.sync        0
    add_at_all_distances
    store_sum
    mov.end.u32     g[$r1], $r2
}

// ---- step 5: no barriers for the last warp -------------------------------------------------------------------------------

.entry reduction_last_warp
{
  .param ptr in
  .param ptr out
  .shared data, 4*THREADS
  .const warp c1 : u32 32
    bring_two
    mov.b32         s[$ofs1+data], $r2
    bar.sync        0
    shr.u32         $r3, $r3, 1
    set.le.u32      $p0|$o127, $r3, c1[warp]
@$p0.ne bra.label   few
again:
    add_at_distance
    shr.u32         $r3, $r3, 1
    set.gt.u32      $p0|$o127, $r3, c1[warp]
@$p0.ne bra.label   again
few:
    last_warp
    store_sum
    mov.end.u32     g[$r1], $r2
}

// ---- step 6: no loop, because the block's size is known -------------------------------------------------------------------

.entry reduction_unrolled
{
  .param ptr in
  .param ptr out
  .shared data, 4*THREADS
  .const half c1 : u32 64
  .const warp c1 : u32 32
    cvt.u32.u16     $r1, $r0.lo
    cvt.u32.u16     $r2, %ctaid.x
    shl.u32         $r2, $r2, 8
    add.u32         $r2, $r2, $r1
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[in], $r2
    add.b32         $r4, $r2, 4*THREADS
    mov.u32         $r2, g[$r2]
    mov.u32         $r4, g[$r4]
    movsh.b32       $ofs1, $r1, 2
    add.u32         $r2, $r2, $r4
    mov.b32         s[$ofs1+data], $r2
    bar.sync        0
    add_upper_half
    last_warp
    store_sum
    mov.end.u32     g[$r1], $r2
}

// ---- step 7: a grid of any size walks over the words; the rest as in step 6 -----------------------------------------------

.entry reduction_strided
{
  .param ptr in
  .param ptr out
  .param u32 n                                      // words, a multiple of 256
  .shared data, 4*THREADS
  .const half c1 : u32 64
  .const warp c1 : u32 32
    cvt.u32.u16     $r1, $r0.lo
    cvt.u32.u16     $r2, %ctaid.x
    shl.u32         $r2, $r2, 8
    add.u32         $r3, $r2, $r1                   // word
    cvt.u32.u16     $r4, %nctaid.x
    shl.u32         $r4, $r4, 8                     // words of one step of the grid
    movsh.b32       $ofs1, $r1, 2
    mov.b32         $r2, 0
    mov.b32         s[$ofs1+data], $r2
    set.le.u32      $p0|$o127, s[n], $r3
    join.label      gathered
@$p0.ne bra.label   gathered
    shl.u32         $r2, $r3, 2
    add.u32         $r2, s[in], $r2
    shl.u32         $r5, $r4, 2
again:
    add.b32         $r7, $r2, 4*THREADS
    mov.u32         $r6, g[$r2]
    mov.u32         $r7, g[$r7]
    add.half.b32    $r3, $r3, $r4
    add.half.b32    $r2, $r2, $r5
    add.u32         $r6, $r6, $r7
    add.u32         $r6, s[$ofs1+data], $r6
    mov.b32         s[$ofs1+data], $r6
    set.gt.u32      $p0|$o127, s[n], $r3
@$p0.ne bra.label   again
gathered:
    nop.join
    bar.sync        0
    add_upper_half
    last_warp
    store_sum
    mov.end.u32     g[$r1], $r2
}
