// SPDX-License-Identifier: Apache-2.0
// out[i] = in[i], where thread t works on i = t + shift: how well half-warps coalesce depends on shift. What goes over
// the end begins again at 0. The grid has one thread per element.
.entry shift
{
  .param u32 n
  .param u32 shift
  .param ptr in
  .param ptr out

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1   // t = block * threads + thread
    add.u32         $r1, s[shift], $r1
    mov.b32         $r3, s[n]
    set.le.u32      $p0|$o127, s[n], $r1            // n <= i
@$p0.ne sub.u32     $r1, $r1, $r3
    shl.u32         $r1, $r1, 2
    add.u32         $r2, s[in], $r1
    add.u32         $r1, s[out], $r1
    mov.u32         $r3, g[$r2]
    mov.u32         g[$r1], $r3
    return
}
