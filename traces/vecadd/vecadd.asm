// SPDX-License-Identifier: Apache-2.0
// out[i] = a[i] + b[i]: one thread per element. Two coalesced loads, one coalesced store, one addition.
.entry vecadd
{
  .param ptr a
  .param ptr b
  .param ptr out
  .param u32 n

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1   // i = block * threads + thread
    set.le.u32      $p0|$o127, s[n], $r1            // n <= i: the last block has threads to spare
@$p0.ne return
    shl.u32         $r1, $r1, 2
    add.u32         $r2, s[a], $r1
    add.u32         $r3, s[b], $r1
    mov.u32         $r2, g[$r2]
    mov.u32         $r3, g[$r3]
    add.u32         $r1, s[out], $r1
    add.f32         $r2, $r2, $r3
    mov.u32         g[$r1], $r2
    return
}
