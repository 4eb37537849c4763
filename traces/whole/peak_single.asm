// SPDX-License-Identifier: Apache-2.0
// Multiply-adds and multiplications in turn, in single precision: the mix by which SHOC (Danalis et al. 2010) looks for the peak
// of a chip that can send multiplications to its special-function units. Eight independent chains x = (2.9 - x / 2) * x, 64
// steps in one pass, the multiplication of a chain four places behind its multiply-add. A step is three operations.
.equ CHAINS, 8
.equ STEPS, 64
.equ BEHIND, 4                                      // chains
.equ X, 2                                           // registers of the chains
.equ FACTOR, 10                                     // what their multiply-adds leave

.macro multiply_add k
    mad.rn.f32      $r(FACTOR+(\k)%CHAINS), -$r(X+(\k)%CHAINS), $r19, $r18
.endm

.macro multiply k
    mul.rn.f32      $r(X+(\k)%CHAINS), $r(FACTOR+(\k)%CHAINS), $r(X+(\k)%CHAINS)
.endm

.entry peak_single
{
  .param ptr out
  .param u32 passes
    cvt.u32.u16     $r0, $r0.lo
    cvt.u32.u16     $r1, %ctaid.x
    cvt.u32.u16     $r2, %ntid.x
    mad24.lo.u32    $r0, $r1, $r2, $r0              // thread of the grid
    mov.b32         $r1, 15
    and.b32         $r1, $r0, $r1
    cvt.rn.f32.u32  $r2, $r1
    mov.b32         $r18, 0.0625f
    mov.b32         $r19, 0.25f
    mad.rn.f32      $r2, $r2, $r18, $r19            // chain 0 starts at 1/4 + (thread modulo 16) / 16
    mov.b32         $r18, 0.125f
.rept CHAINS-1, i
    add.rn.f32      $r(X+1+i), $r(X+i), $r18        // each further one 1/8 higher
.endr
    mov.b32         $r18, 2.9f
    mov.b32         $r19, 0.5f
    mov.b32         $r1, s[passes]
again:
.rept BEHIND, k
    multiply_add    k
.endr
.rept STEPS-BEHIND, k
    multiply_add    k+BEHIND
    multiply        k
.endr
.rept BEHIND, k
    multiply        k+STEPS-BEHIND
.endr
    add.b32         $r1, $r1, 0xffffffff
    cvt.u32.u32     $p0|_, $r1
@$p0.ne bra.label   again
.rept CHAINS-1, i
    add.rn.f32      $r2, $r2, $r(X+1+i)
.endr
    shl.u32         $r0, $r0, 2
    add.u32         $r0, s[out], $r0
    mov.end.u32     g[$r0], $r2
}
