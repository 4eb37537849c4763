// SPDX-License-Identifier: Apache-2.0
// y[i] = a * x[i] + y[i]: one thread per element, one multiply-add for three memory accesses.
.entry saxpy
{
  .param u32 n
  .param f32 a
  .param ptr x
  .param ptr y

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1   // i = block * threads + thread
    set.le.u32      $p0|$o127, s[n], $r1            // n <= i
@$p0.ne return
    shl.u32         $r1, $r1, 2
    add.u32         $r2, s[x], $r1
    add.u32         $r1, s[y], $r1
    mov.u32         $r3, g[$r2]
    mov.u32         $r4, g[$r1]
    mad.f32         $r3, s[a], $r3, $r4             // the first source may lie in shared memory
    mov.u32         g[$r1], $r3
    return
}
