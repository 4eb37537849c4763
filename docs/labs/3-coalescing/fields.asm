// SPDX-License-Identifier: Apache-2.0
// An array of n structures of four words becomes four arrays of n words: out[field * n + i] = in[4 * i + field].
// Thread i takes structure i, one field after the other. Blocks of 64 threads; n is the number of threads of the grid.
.entry fields
{
  .param u32 n
  .param ptr in
  .param ptr out

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1   // i = block * threads + thread
    shl.u32         $r2, $r1, 4
    add.u32         $r2, s[in], $r2                 // address of the structure
    shl.u32         $r1, $r1, 2
    add.u32         $r1, s[out], $r1                // address of out[i]
    mov.b32         $r3, s[n]
    shl.u32         $r3, $r3, 2                     // from one array to the next
.rept 4
    mov.u32         $r4, g[$r2]
    mov.u32         g[$r1], $r4
    add.u32         $r2, $r2, 4
    add.u32         $r1, $r1, $r3
.endr
    return
}
