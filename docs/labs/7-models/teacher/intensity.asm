// SPDX-License-Identifier: Apache-2.0
// x = x * a + b, `iterations` times (a multiple of 32), for each element of in: `iterations` decides how much is computed
// for the 8 bytes that an element moves.
.equ unroll, 32

.entry intensity
{
  .param ptr in
  .param ptr out
  .param f32 a
  .param f32 b
  .param u32 iterations

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1
    shl.u32         $r1, $r1, 2
    add.u32         $r2, s[in], $r1
    mov.u32         $r4, g[$r2]
    mov.b32         $r2, s[a]
    mov.b32         $r3, s[b]
    mov.b32         $r5, s[iterations]
    mov.b32         $r6, unroll
again:
    sub.u32         $p0|$r5, $r5, $r6
.rept unroll
    mad.f32         $r4, $r4, $r2, $r3
.endr
@$p0.ne bra.label   again
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r4
    return
}
