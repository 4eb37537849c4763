// SPDX-License-Identifier: Apache-2.0
// a[i] = b[i] * c[i]: the grid of the lecture's figure 4.13 (Hennessy & Patterson 2017), 16 blocks of 512 elements.
.entry vector_multiply
{
  .param ptr a
  .param ptr b
  .param ptr c
    mov.b32         $r1, %ctaid.x
    mov.b32         $r2, %ntid.x
    and.b32         $r0, $r0, 0x0000ffff
    mad24.lo.u32    $r0, $r1, $r2, $r0
    shl.u32         $r0, $r0, 2
    add.u32         $r1, s[b], $r0
    add.u32         $r2, s[c], $r0
    mov.u32         $r1, g[$r1]
    mov.u32         $r2, g[$r2]
    add.u32         $r0, s[a], $r0
    mul.f32         $r1, $r1, $r2
    mov.u32         g[$r0], $r1
    return
}
