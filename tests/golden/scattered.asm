// SPDX-License-Identifier: Apache-2.0
// out[i] = sum of words of shared memory at pseudo-random places, n rounds: addresses that no rule tells, so that the trace
// grows by about 30 bytes per access.
.entry scattered
{
  .param ptr out
  .param u32 n
    mov.b16         $r3.lo, %ntid.x
    and.b32         $r1, $r0, 0x0000ffff
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1
    mov.u32         $r2, $r1
    mov.u32         $r4, 0x00000000
    mov.u32         $r5, s[n]
    mov.u32         $r6, 0x00000001
    mov.u32         $r7, 0x0019660d
again:
    mad24.lo.u32    $r2, $r2, $r7, $r5
    shr.u32         $r8, $r2, 8
    and.b32         $r8, $r8, 0x00000ffc
    movsh.b32       $ofs1, $r8, 0
    add.u32         $r4, s[$ofs1+0x0020], $r4
    sub.u32         $p0|$r5, $r5, $r6
@$p0.ne bra.label   again
    shl.u32         $r1, $r1, 2
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r4
    return
}
