// SPDX-License-Identifier: Apache-2.0
// y[i] = a * x[i] + y[i] in double precision: the first example of a CUDA kernel in the lecture and in Hennessy & Patterson
// 2017, section 4.4.
.arch sm_13
.entry daxpy
{
  .param u32 n
  .param u32 a_low                 // the two words of a
  .param u32 a_high
  .param ptr x
  .param ptr y
    mov.b32         $r1, %ctaid.x
    mov.b32         $r2, %ntid.x
    and.b32         $r0, $r0, 0x0000ffff
    mad24.lo.u32    $r0, $r1, $r2, $r0
    set.le.u32      $p0|$o127, s[n], $r0
@$p0.ne return
    shl.u32         $r0, $r0, 3
    add.u32         $r1, s[y], $r0
    add.u32         $r0, s[x], $r0
    mov.b64         $r2, g[$r0]
    mov.b64         $r4, g[$r1]
    mov.b32         $r6, s[a_low]
    mov.b32         $r7, s[a_high]
    mad.rn.f64      $r4, $r2, $r6, $r4
    mov.b64         g[$r1], $r4
    return
}
