// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums (scan) after Harris (2007), "Parallel prefix sum (scan) with CUDA": a block scans two elements a thread in
// shared memory, up a tree of sums and down again, and keeps its sum; once the sums of the blocks are scanned in the same way, each is
// added to its block. One word of padding for 16 elements avoids most bank conflicts. The instructions of a step are
// those of the authors' source, as nvopencc compiled it in 2009; products and sums are joined. Ten registers: three blocks on an SM of G80.
.equ MOST, 512                                      // elements of a block
.equ LOG2_BANKS, 4

// \offset = byte of element \index, padded, in shared memory.
.macro place offset, index, work
    shr.s32         \work, \index, LOG2_BANKS
    add.b32         \work, \index, \work
    movsh.b32       \offset, \work, 2
.endm

// Once all are here: threads from $r6 on go to \otherwise; for the others $ofs1, $ofs2 = the elements that they join at distance $r5.
.macro pair otherwise
    bar.sync        0
    set.ge.u32      $p0|_, $r1, $r6
    join.label      \otherwise
@$p0.ne bra.label   \otherwise
    mul24.lo.s32    $r7, $r5, 2
    mad24.lo.s32    $r7, $r1, $r7, $r5
    add.b32         $r8, $r7, $r5
    add.b32         $r9, $r7, -1
    place           $ofs1, $r9, $r3
    add.b32         $r9, $r8, -1
    place           $ofs2, $r9, $r3
.endm

.entry scan_blocks
{
  .const zero c1 : u32 0
  .const one c1 : u32 1
  .param ptr out
  .param ptr in
  .param ptr sums                                   // one of each block
  .shared data, 4*(MOST+(MOST>>LOG2_BANKS))
    cvt.u32.u16     $r1, $r0.lo
    cvt.u32.u16     $r6, %ntid.x
    shl.u32         $r2, $r6, 1
    mad24.lo.s32    $r2, %ctaid.x, $r2, $r1         // first element of the thread; the other is a block's threads further
    add.u32         $r0, $r2, $r6
    add.u32         $r3, $r1, $r6
    shl.u32         $r2, $r2, 2
    shl.u32         $r0, $r0, 2
    place           $ofs3, $r1, $r4
    place           $ofs4, $r3, $r4
    add.u32         $r7, s[in], $r2
    add.u32         $r8, s[in], $r0
    mov.b32         $r7, g[$r7]
    mov.b32         s[$ofs3+data], $r7
    mov.b32         $r8, g[$r8]
    mov.b32         s[$ofs4+data], $r8
    mov.b32         $r5, 1                          // distance
up:
    pair            added
    mov.b32         $r7, s[$ofs2+data]
    add.rn.f32      $r7, s[$ofs1+data], $r7
    mov.b32         s[$ofs2+data], $r7
added:
    shl.join.u32    $r5, $r5, 1
    shr.s32         $r6, $r6, 1
    set.gt.s32      $p0|_, $r6, c1[zero]
@$p0.ne bra.label   up
    set.ne.u32      $p0|_, $r1, c1[zero]
    join.label      cleared
@$p0.ne bra.label   cleared
    cvt.u32.u16     $r6, %ntid.x
    shl.u32         $r6, $r6, 1
    add.b32         $r6, $r6, -1
    place           $ofs1, $r6, $r7
    shl.u32         $r8, %ctaid.x, 2
    add.u32         $r8, s[sums], $r8
    mov.b32         $r6, s[$ofs1+data]
    mov.b32         g[$r8], $r6
    mov.b32         $r7, 0
    mov.b32         s[$ofs1+data], $r7
cleared:
    set.join.lt.u32 $p0|_, %ntid.x, c1[one]
@$p0.ne bra.label   store
    mov.b32         $r6, 1                          // threads that take part
down:
    shr.u32         $r5, $r5, 1
    pair            swapped
    mov.b32         $r8, s[$ofs1+data]
    mov.b32         $r7, s[$ofs2+data]
    mov.b32         s[$ofs1+data], $r7
    add.rn.f32      $r7, s[$ofs2+data], $r8
    mov.b32         s[$ofs2+data], $r7
swapped:
    shl.join.u32    $r6, $r6, 1
    set.ge.u32      $p0|_, %ntid.x, $r6
@$p0.ne bra.label   down
store:
    bar.sync        0
    add.u32         $r2, s[out], $r2
    mov.b32         $r7, s[$ofs3+data]
    mov.b32         g[$r2], $r7
    add.u32         $r0, s[out], $r0
    mov.b32         $r8, s[$ofs4+data]
    mov.end.b32     g[$r0], $r8
}

.entry scan_add
{
  .const zero c1 : u32 0
  .param ptr data
  .param ptr sums                                   // scanned
  .param u32 n                                      // threads from n on have one element only
  .shared sum, 4
    cvt.u32.u16     $r0, $r0.lo
    set.ne.u32      $p0|_, $r0, c1[zero]
    join.label      told
@$p0.ne bra.label   told
    shl.u32         $r1, %ctaid.x, 2
    add.u32         $r1, s[sums], $r1
    mov.b32         $r1, g[$r1]
    mov.b32         s[sum], $r1
told:
    nop.join
    bar.sync        0
    cvt.u32.u16     $r1, %ntid.x
    shl.u32         $r2, $r1, 1
    mad24.lo.s32    $r2, %ctaid.x, $r2, $r0
    add.u32         $r3, $r2, $r1
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[data], $r2
    mov.b32         $r5, s[sum]
    mov.b32         $r4, g[$r2]
    add.rn.f32      $r4, $r4, $r5
    mov.b32         g[$r2], $r4
    shl.u32         $r3, $r3, 2
    add.u32         $r3, s[data], $r3
    mov.b32         $r4, g[$r3]
    add.u32         $r1, $r1, $r0
    set.gt.u32      $p0|_, s[n], $r1
@$p0.ne add.rn.f32  $r4, $r4, $r5
    mov.end.b32     g[$r3], $r4
}
