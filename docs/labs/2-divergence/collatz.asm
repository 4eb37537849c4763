// SPDX-License-Identifier: Apache-2.0
// out[i] = how many steps n = in[i] takes to reach 1, where an odd n becomes 3n + 1 and an even one n / 2.
// Neighbouring numbers take very different numbers of steps: lanes leave the loop one after the other, and inside it they
// disagree about the branch in nearly every step.
.entry collatz
{
  .param ptr in
  .param ptr out

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1
    shl.u32         $r1, $r1, 2
    add.u32         $r2, s[in], $r1
    mov.u32         $r2, g[$r2]                     // n
    mov.b32         $r3, 0x00000000                 // steps
    mov.b32         $r4, 0x00000001

    join.label      done
    set.eq.u32      $p0|$o127, $r2, $r4
@$p0.ne bra.label done
step:
    and.b32         $p0|$o127, $r2, $r4
@$p0.ne bra.label odd
    shr.u32         $r2, $r2, 1
    bra.label       next
odd:
    shl.u32         $r5, $r2, 1
    add.u32         $r2, $r2, $r5
    add.u32         $r2, $r2, $r4
next:
    add.u32         $r3, $r3, $r4
    set.ne.u32      $p0|$o127, $r2, $r4
@$p0.ne bra.label step                              // lanes that are done wait at the end of the loop
done:
    nop.join
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r3
    return
}
