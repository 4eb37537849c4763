// SPDX-License-Identifier: Apache-2.0
// Potential of point charges on a lattice after Stone et al. (2007), "Accelerating molecular modeling applications with graphics
// processors": a thread has eight points, 16 apart in x, and adds up what every atom in constant memory contributes. By the authors'
// count the eight take 59 operations: difference and square in y 3, differences in x 8, squared distances 16,
// reciprocal square roots (a root and a division) 16, charges 16.
.equ POINTS, 8
.equ ATOMS, 1000
.equ ROW, 16                                        // threads of a block in x

// Of each atom: x, y, squared distance from the lattice, charge. Launch files have others.
.rept ATOMS, i
.const c0[16*i] : f32 0.0, 0.0, 1.0, 1.0
.endr

.entry potential
{
  .param u32 count
  .param f32 spacing
  .param ptr grid
    cvt.u32.u16     $r1, $r0.lo
    cvt.u32.u16     $r0, $r0.hi
    mul24.lo.u32    $r2, %ctaid.x, ROW*POINTS
    add.u32         $r1, $r2, $r1                   // column
    cvt.u32.u16     $r2, %ntid.y
    mad24.lo.u32    $r0, %ctaid.y, $r2, $r0         // row
    cvt.u32.u16     $r2, %nctaid.x
    mul24.lo.u32    $r2, $r2, ROW*POINTS
    mad24.lo.u32    $r2, $r0, $r2, $r1
    cvt.rn.f32.u32  $r0, $r0
    mul.rn.f32      $r0, s[spacing], $r0
    cvt.rn.f32.u32  $r1, $r1
    mul.rn.f32      $r1, s[spacing], $r1
    mul.rn.f32      $r3, s[spacing], 16.0f          // from point to point
.rept POINTS, j
    mov.b32         $r(10+j), 0
.endr
    mov.b32         $r4, 0
next_atom:
    movsh.b32       $ofs1, $r4, 4
    mov.b32         $r5, c0[$ofs1+4]
    add.rn.f32      $r5, $r0, -$r5
    mov.b32         $r6, c0[$ofs1+8]
    mad.rn.f32      $r5, $r5, $r5, $r6
    mov.b32         $r6, c0[$ofs1]
    add.rn.f32      $r6, $r1, -$r6
    mov.b32         $r7, c0[$ofs1+12]
.rept POINTS-1, j
    mad.rn.f32      $r8, $r6, $r6, $r5
    rsqrt.f32       $r8, $r8
    mad.rn.f32      $r(10+j), $r7, $r8, $r(10+j)
    add.rn.f32      $r6, $r3, $r6
.endr
    mad.rn.f32      $r8, $r6, $r6, $r5
    rsqrt.f32       $r8, $r8
    mad.rn.f32      $r17, $r7, $r8, $r17
    add.b32         $r4, $r4, 1
    set.gt.u32      $p0|_, s[count], $r4
@$p0.ne bra.label   next_atom
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[grid], $r2
.rept POINTS-1, j
    mov.b32         $r5, g[$r2]
    add.rn.f32      $r5, $r5, $r(10+j)
    mov.b32         g[$r2], $r5
    add.b32         $r2, $r2, 4*ROW
.endr
    mov.b32         $r5, g[$r2]
    add.rn.f32      $r5, $r5, $r17
    mov.end.b32     g[$r2], $r5
}
