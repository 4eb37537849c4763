// SPDX-License-Identifier: Apache-2.0
// Forces between all pairs of bodies after Nyland, Harris and Prins (2007), GPU Gems 3, chapter 31: 256 bodies at a time in
// shared memory, every thread adds up the force on one body. By convention an interaction counts 20 operations: difference of
// positions 3, squared distance 6, its cube 2, reciprocal square root 2, times mass 1, sum 6. In the order in which the authors
// wrote it these are 14 instructions, and 4 of the loop: theirs has 60 for four interactions.
// The kernels differ in the interactions of one pass of the inner loop.
.equ BODIES, 256                                    // of one tile; threads of a block

.macro nbody unroll
.entry nbody_\unroll
{
  .equ UNROLL, \unroll
  .param ptr force                                  // four words per body
  .param ptr body                                   // x, y, z, mass
  .param u32 n
  .param f32 softening                              // added to the squared distance
  .shared tile, 16*BODIES
    cvt.u32.u16     $r0, $r0.lo
    cvt.u32.u16     $r1, %ctaid.x
    shl.u32         $r1, $r1, 8
    add.u32         $r1, $r1, $r0
    shl.u32         $r1, $r1, 4
    add.u32         $r2, s[force], $r1              // where the result goes
    add.u32         $r1, s[body], $r1
    mov.b128        $r4, g[$r1]                     // own position: $r4 to $r6
    movsh.b32       $ofs1, $r0, 4
    shl.u32         $r0, $r0, 4
    add.u32         $r1, s[body], $r0               // the body that this thread brings
    mov.b32         $r0, s[softening]
    mov.b32         $r8, 0                          // force: $r8 to $r10
    mov.b32         $r9, $r8
    mov.b32         $r10, $r8
    cvt.u32.u16     $r11, %ntid.x
next_tile:
    mov.b128        $r12, g[$r1]
.rept 4, i
    mov.b32         s[$ofs1+tile+4*i], $r(12+i)
.endr
    bar.sync        0
    mov.b32         $ofs2, tile
    mov.b32         $r3, 0                          // bodies so far
next_bodies:
.rept UNROLL, j
.rept 3, i
    add.rn.f32      $r(12+i), s[$ofs2+16*j+4*i], -$r(4+i)
.endr
    mul.rn.f32      $r15, $r12, $r12
    mad.rn.f32      $r15, $r13, $r13, $r15
    mad.rn.f32      $r15, $r14, $r14, $r15
    add.rn.f32      $r15, $r15, $r0
    mul.rn.f32      $r7, $r15, $r15
    mul.rn.f32      $r7, $r7, $r15
    rsqrt.f32       $r7, $r7
    mul.rn.f32      $r7, s[$ofs2+16*j+12], $r7
.rept 3, i
    mad.rn.f32      $r(8+i), $r(12+i), $r7, $r(8+i)
.endr
.endr
    add.b32         $ofs2, $ofs2, 16*UNROLL
    add.b32         $r3, $r3, UNROLL
    set.lt.u32      $p0|_, $r3, $r11
@$p0.ne bra.label   next_bodies
    add.b32         $r1, $r1, 16*BODIES
    mov.b32         $r12, s[n]
    shl.u32         $r12, $r12, 4
    add.u32         $r12, s[body], $r12
    set.lt.u32      $p0|_, $r1, $r12
    bar.sync        0
@$p0.ne bra.label   next_tile
    mov.b32         $r11, 0
    mov.end.b128    g[$r2], $r8
}
.endm

nbody 1
nbody 2
nbody 4
