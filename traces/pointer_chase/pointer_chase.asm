// SPDX-License-Identifier: Apache-2.0
// i = list[i], `steps` times, from i = the thread's index: every load needs the result of the one before, so the time
// per step is the latency of global memory and a few dependent instructions.
.entry pointer_chase
{
  .param ptr list
  .param ptr out
  .param u32 steps

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1
    mov.b32         $r3, $r1                        // i
    mov.b32         $r4, s[steps]
    mov.b32         $r5, 0x00000001
step:
    shl.u32         $r3, $r3, 2
    add.u32         $r3, s[list], $r3
    mov.u32         $r3, g[$r3]
    sub.u32         $p0|$r4, $r4, $r5
@$p0.ne bra.label step

    shl.u32         $r1, $r1, 2
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r3
    return
}
