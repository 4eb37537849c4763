// SPDX-License-Identifier: Apache-2.0
// Each block counts how often the values 0..31 occur in its piece of the data: out[block][value].
// Compute capability 1.0 has no atomic operations, so each thread has bins of its own in shared memory. They are stored
// bin by bin, bins[bin][thread], so that a thread always works in one bank: no conflicts, whatever the data.
// Blocks of 64 threads; each thread takes `per_thread` elements, 64 apart.
.equ threads, 64
.equ bin_count, 32
.equ bin_bytes, 4 * threads       // from one bin of a thread to its next

.entry histogram
{
  .param ptr in
  .param ptr out
  .param u32 per_thread
  .shared bins, bin_count * bin_bytes

    and.b32         $r1, $r0, 0x0000ffff            // thread index
    shl.u32         $r2, $r1, 2                     // the thread's column, in bytes
    movsh.b32       $ofs1, $r1, 2
    mov.b32         $r3, 0x00000000
.rept bin_count, i
    mov.b32         s[$ofs1+bins+bin_bytes*i], $r3
.endr

    mov.u32.u16     $r4, %ctaid.x
    mul24.lo.u32    $r5, s[per_thread], $r4         // elements before this block, divided by 64
    shl.u32         $r5, $r5, 6
    add.u32         $r5, $r5, $r1
    shl.u32         $r5, $r5, 2
    add.u32         $r5, s[in], $r5
    mov.b32         $r6, s[per_thread]
    mov.b32         $r7, 0x00000001
element:
    mov.u32         $r8, g[$r5]
    add.u32         $r5, $r5, 4 * threads
    sub.u32         $p0|$r6, $r6, $r7
    and.b32         $r8, $r8, bin_count - 1
    shl.u32         $r8, $r8, 8                     // bin * bin_bytes
    add.u32         $r8, $r8, $r2
    movsh.b32       $ofs2, $r8, 0
    mov.b32         $r9, s[$ofs2+bins]
    add.u32         $r9, $r9, 1
    mov.b32         s[$ofs2+bins], $r9
@$p0.ne bra.label element
    bar.sync.u32    0x00000000

    // Thread t < 32 adds up bin t of all threads. It begins with thread t's column: started at column 0, all lanes of a
    // half-warp would walk through one bank.
    mov.b32         $r6, bin_count
    set.ge.u32      $p0|$o127, $r1, $r6
@$p0.ne return
    shl.u32         $r2, $r1, 8                     // bin * bin_bytes
    mov.b32         $r6, threads
    mov.b32         $r9, 0x00000000                 // sum
    mov.b32         $r10, $r1                       // column
column:
    and.b32         $r8, $r10, threads - 1
    shl.u32         $r8, $r8, 2
    add.u32         $r8, $r8, $r2
    movsh.b32       $ofs2, $r8, 0
    add.u32         $r9, s[$ofs2+bins], $r9
    add.u32         $r10, $r10, $r7
    sub.u32         $p0|$r6, $r6, $r7
@$p0.ne bra.label column

    shl.u32         $r4, $r4, 5
    add.u32         $r4, $r4, $r1
    shl.u32         $r4, $r4, 2
    add.u32         $r4, s[out], $r4
    mov.u32         g[$r4], $r9                     // out[block * 32 + thread]
    return
}
