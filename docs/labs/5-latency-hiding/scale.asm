// SPDX-License-Identifier: Apache-2.0
// out[i] = a * in[i] + b. The threads of the grid take n elements in turn: thread t does t, t + threads, t + 2 * threads, ...,
// so any grid and any block will do. Each warp waits for its load before it goes on.
.entry scale
{
  .reg 40                                           // as many as a kernel with more to compute
  .param ptr in
  .param ptr out
  .param f32 a
  .param f32 b
  .param u32 n

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.u32.u16     $r2, %ntid.x
    mov.u32.u16     $r3, %nctaid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1   // i = block * threads + thread
    mul24.lo.u32    $r2, $r2, $r3                   // threads of the grid
    shl.u32         $r3, $r2, 2                     // bytes from one element of a thread to the next
    shl.u32         $r4, $r1, 2
    add.u32         $r5, s[in], $r4
    add.u32         $r6, s[out], $r4
    mov.b32         $r7, s[a]
    mov.b32         $r8, s[b]
    set.le.u32      $p0|$o127, s[n], $r1            // n <= i: nothing to do
@$p0.ne return
again:
    mov.u32         $r9, g[$r5]
    mad.f32         $r9, $r9, $r7, $r8              // waits for the load
    mov.u32         g[$r6], $r9
    add.u32         $r5, $r5, $r3
    add.u32         $r6, $r6, $r3
    add.u32         $r1, $r1, $r2
    set.gt.u32      $p0|$o127, s[n], $r1            // n > i
@$p0.ne bra.label   again
    return
}
