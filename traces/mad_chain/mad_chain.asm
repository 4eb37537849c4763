// SPDX-License-Identifier: Apache-2.0
// x = x * a + b, `iterations` times (a multiple of 16), without memory accesses in between.
// mad_chain: each multiply-add needs the one before. With one warp, a chain step takes the latency of the MAD pipeline;
// with enough warps per SM it takes the issue time.
// mad_chain_independent: four chains at once per thread, so that fewer warps are enough.
.equ unroll, 16

.macro thread_number number, scratch      // block * threads + thread
    and.b32         \number, $r0, 0x0000ffff
    mov.b16         \scratch.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 \number, %ctaid.x, \scratch.lo, \number
.endm

.entry mad_chain
{
  .param ptr in
  .param ptr out
  .param f32 a
  .param f32 b
  .param u32 iterations

    thread_number   $r1, $r2
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
@$p0.ne bra.label again

    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r4
    return
}

.entry mad_chain_independent
{
  .param ptr in
  .param ptr out
  .param f32 a
  .param f32 b
  .param u32 iterations

    thread_number   $r1, $r2
    shl.u32         $r1, $r1, 2
    add.u32         $r2, s[in], $r1
    mov.u32         $r4, g[$r2]
    mov.b32         $r2, s[a]
    mov.b32         $r3, s[b]
    add.f32         $r5, $r4, 1.0f                  // chain c starts at in[i] + c
    add.f32         $r6, $r4, 2.0f
    add.f32         $r7, $r4, 3.0f
    mov.b32         $r8, s[iterations]
    mov.b32         $r9, unroll
again:
    sub.u32         $p0|$r8, $r8, $r9
.rept unroll
    mad.f32         $r4, $r4, $r2, $r3
    mad.f32         $r5, $r5, $r2, $r3
    mad.f32         $r6, $r6, $r2, $r3
    mad.f32         $r7, $r7, $r2, $r3
.endr
@$p0.ne bra.label again

    add.f32         $r4, $r4, $r5
    add.f32         $r6, $r6, $r7
    add.f32         $r4, $r4, $r6
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r4
    return
}
