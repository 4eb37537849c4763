// SPDX-License-Identifier: Apache-2.0
// out[i] = text[i], capitals made small: one thread per letter. Every lane adds, for capitals the sum counts.
.entry lower
{
  .param u32 n
  .param ptr text
  .param ptr out

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1   // i = block * threads + thread
    set.le.u32      $p0|$o127, s[n], $r1            // n <= i: no letter for this thread
@$p0.ne return
    add.u32         $r2, s[text], $r1
    mov.u8          $r3, g[$r2]                     // the letter
    mov.b32         $r5, 25
    mov.b32         $r6, 32                         // from 'A' to 'a'
    sub.u32         $r4, $r3, 65                    // 'A' is 0, 'Z' 25; what is below 'A' becomes very large
    set.gt.u32      $p0|$o127, $r4, $r5
@$p0.eq add.u32     $r3, $r3, $r6                   // the mask: capitals alone
    add.u32         $r2, s[out], $r1
    mov.u8          g[$r2], $r3
    return
}
