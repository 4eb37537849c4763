// SPDX-License-Identifier: Apache-2.0
// Sums sin x + cos x + 1/s + 1/sqrt s + log2 s + 2^-x with s = x*x + 1 over `iterations` values of x, 1/8 apart: six
// special functions among a dozen instructions of the MAD unit, so that both units are busy at once.
.entry sfu_mix
{
  .param ptr in
  .param ptr out
  .param u32 iterations

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1
    shl.u32         $r1, $r1, 2
    add.u32         $r2, s[in], $r1
    mov.u32         $r2, g[$r2]                     // x
    mov.b32         $r3, 0x00000000                 // sum
    mov.b32         $r4, 1.0f
    mov.b32         $r5, s[iterations]
    mov.b32         $r6, 0x00000001
value:
    pre.sin.f32     $r7, $r2                        // range reduction, on the MAD unit
    mad.f32         $r8, $r2, $r2, $r4              // s
    pre.ex2.f32     $r9, -$r2
    sin.f32         $r10, $r7
    cos.f32         $r7, $r7
    rcp.f32         $r11, $r8
    rsqrt.f32       $r12, $r8
    lg2.f32         $r8, $r8
    ex2.f32         $r9, $r9
    sub.u32         $p0|$r5, $r5, $r6
    add.f32         $r2, $r2, 0.125f
    add.f32         $r10, $r10, $r7
    add.f32         $r11, $r11, $r12
    add.f32         $r8, $r8, $r9
    add.f32         $r10, $r10, $r11
    add.f32         $r10, $r10, $r8
    add.f32         $r3, $r3, $r10
@$p0.ne bra.label value

    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r3
    return
}
