// SPDX-License-Identifier: Apache-2.0
// Fused multiply-adds in double precision, after SHOC (Danalis et al. 2010): eight independent chains x = x * a + b, 64 steps in one
// pass, two operations each.
.arch sm_13
.equ CHAINS, 8
.equ STEPS, 64
.equ X, 4                                           // first registers of the chains, two each

.entry peak_double
{
  .param ptr in
  .param ptr out
  .param u32 passes
    cvt.u32.u16     $r0, $r0.lo
    cvt.u32.u16     $r1, %ctaid.x
    cvt.u32.u16     $r2, %ntid.x
    mad24.lo.u32    $r0, $r1, $r2, $r0              // thread of the grid
    shl.u32         $r0, $r0, 3
    add.u32         $r1, s[in], $r0
    mov.b64         $r4, g[$r1]                     // chain c starts at in[thread] + c
    mov.b32         $r20, 0
    mov.b32         $r21, 0x3ff00000                // 1.0
.rept CHAINS-1, i
    add.rn.f64      $r(X+2+2*i), $r(X+2*i), $r20
.endr
    mov.b32         $r21, 0x3fe80000                // a = 0.75
    mov.b32         $r22, 0x33333333
    mov.b32         $r23, 0x3fd33333                // b = 0.3
    mov.b32         $r1, s[passes]
    mov.b32         $r2, 1
again:
.rept STEPS, k
    mad.rn.f64      $r(X+2*(k%CHAINS)), $r(X+2*(k%CHAINS)), $r20, $r22
.endr
    sub.u32         $p0|$r1, $r1, $r2
@$p0.ne bra.label   again
.rept CHAINS-1, i
    add.rn.f64      $r4, $r(X+2+2*i), $r4
.endr
    add.u32         $r0, s[out], $r0
    mov.end.b64     g[$r0], $r4
}
