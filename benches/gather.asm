// SPDX-License-Identifier: Apache-2.0
// out[i] = data[index[i]]: with random indices one transaction per lane.
.entry gather
{
  .param ptr index
  .param ptr data
  .param ptr out
    mov.b16         $r3.lo, %ntid.x
    and.b32         $r1, $r0, 0x0000ffff
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1
    shl.u32         $r1, $r1, 2
    add.u32         $r2, s[index], $r1
    mov.u32         $r4, g[$r2]
    shl.u32         $r4, $r4, 2
    add.u32         $r4, s[data], $r4
    mov.u32         $r5, g[$r4]
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r5
    return
}
