// SPDX-License-Identifier: Apache-2.0
// out[block] = sum of the block's elements, in shared memory: in each step the lower half of the threads adds the upper
// half. Blocks of at most 256 threads, a power of two. Nothing keeps the warps together in the loop.
.entry unsafe
{
  .param ptr in
  .param ptr out
  .shared data, 4 * 256

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.u32.u16     $r4, %ntid.x                    // threads
    mad24.lo.u32.u16.u16.u32 $r3, %ctaid.x, $r4.lo, $r1   // block * threads + thread
    shl.u32         $r3, $r3, 2
    add.u32         $r3, s[in], $r3
    mov.u32         $r3, g[$r3]
    movsh.b32       $ofs1, $r1, 2
    mov.b32         s[$ofs1+data], $r3              // data[thread] = in[...]
    bar.sync.u32    0x00000000

    shr.u32         $r5, $r4, 1                     // s = half of the threads
step:
    join.label      idle
    set.ge.u32      $p0|$o127, $r1, $r5
@$p0.ne bra.label   idle                            // the threads below s work
    add.u32         $r7, $r1, $r5
    movsh.b32       $ofs2, $r7, 2
    mov.b32         $r8, s[$ofs2+data]
    add.f32         $r8, s[$ofs1+data], $r8
    mov.b32         s[$ofs1+data], $r8              // data[thread] += data[thread + s]
idle:
    nop.join
    shr.u32         $r5, $r5, 1
    set.ne.u32      $p0|$o127, $r5, $r124           // $r124 is never written and reads as zero
@$p0.ne bra.label   step

    set.ne.u32      $p0|$o127, $r1, $r124
@$p0.ne return
    mov.b32         $r2, s[data]
    mov.u32.u16     $r3, %ctaid.x
    shl.u32         $r3, $r3, 2
    add.u32         $r3, s[out], $r3
    mov.u32         g[$r3], $r2                     // thread 0: out[block] = data[0]
    return
}
