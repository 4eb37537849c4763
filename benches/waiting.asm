// SPDX-License-Identifier: Apache-2.0
// `loads` loads that each need the one before: an SM with one warp does nothing but wait.
.entry waiting
{
  .param ptr data
  .param u32 loads
    mov.b32         $r2, s[data]
    mov.b32         $r5, s[loads]
    mov.b32         $r6, 1
again:
    mov.u32         $r3, g[$r2]
    add.u32         $r2, $r2, $r3
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again
    return
}
