// SPDX-License-Identifier: Apache-2.0
// One is added to every element. increments_repeated reads and writes again in every pass, to keep a board busy
// while copies run: the example of overlapping copies in NVIDIA's software kit. increments_in_place and increments_permuted are of
// NVIDIA's tutorial on access to memory (2007): in order, and with the threads of a half-warp exchanged, which devices of compute
// capability 1.0 and 1.1 do not coalesce. increments_triples is of the same tutorial: structures of three words, each read and written as
// three words that lie 12 bytes apart from lane to lane; increments_triples_shared moves the words in order and finds its structure in
// shared memory.

.macro thread_of_grid number, scratch
    mov.b16         $r0.hi, %ntid.x
    cvt.u32.u16     \scratch, $r0.lo
    mad24.lo.u32.u16.u16.u32 \number, %ctaid.x, $r0.hi, \scratch
.endm

.entry increments_repeated
{
  .param ptr out
  .param ptr in
  .param s32 n
  .param s32 passes
    thread_of_grid  $r0, $r1
    set.le.s32      $p0|$o127, s[n], $r0
@$p0.ne return
    mov.b32         $r2, 0
    set.le.s32      $p0|$o127, s[passes], $r2
@$p0.ne return
    shl.u32         $r0, $r0, 2
    add.u32         $r1, s[in], $r0
    add.u32         $r0, s[out], $r0
again:
    mov.u32         $r3, g[$r1]                     // out may be in, so it is read again
    add.b32         $r3, $r3, 1
    mov.u32         g[$r0], $r3
    add.b32         $r2, $r2, 1
    set.gt.s32      $p0|$o127, s[passes], $r2
@$p0.ne bra.label   again
    return
}

.entry increments_in_place
{
  .param ptr data
    thread_of_grid  $r0, $r1
    shl.u32         $r0, $r0, 2
    add.u32         $r0, s[data], $r0
    mov.u32         $r1, g[$r0]
    add.rn.f32      $r1, $r1, 1.0f
    mov.end.u32     g[$r0], $r1
}

.entry increments_permuted                          // element block * threads + (thread xor exchange) + shift
{
  .param ptr data
  .param u32 exchange
  .param u32 shift
    mov.b16         $r0.hi, %ntid.x
    cvt.u32.u16     $r1, $r0.lo
    xor.b32         $r1, s[exchange], $r1
    mad24.lo.u32.u16.u16.u32 $r0, %ctaid.x, $r0.hi, $r1
    add.u32         $r0, s[shift], $r0
    shl.u32         $r0, $r0, 2
    add.u32         $r0, s[data], $r0
    mov.u32         $r1, g[$r0]
    add.rn.f32      $r1, $r1, 1.0f
    mov.end.u32     g[$r0], $r1
}

.entry increments_triples
{
  .param ptr out
  .param ptr in
    thread_of_grid  $r0, $r1
    shl.u32         $r1, $r0, 3
    shl.u32         $r0, $r0, 2
    add.u32         $r0, $r0, $r1                   // 12 bytes a thread
    add.u32         $r1, s[in], $r0
    add.u32         $r0, s[out], $r0
    add.b32         $r2, $r1, 4
    add.b32         $r3, $r1, 8
    mov.u32         $r1, g[$r1]
    mov.u32         $r2, g[$r2]
    mov.u32         $r3, g[$r3]
    add.rn.f32      $r1, $r1, 2.0f
    add.rn.f32      $r2, $r2, 2.0f
    add.rn.f32      $r3, $r3, 2.0f
    mov.u32         g[$r0], $r1
    add.b32         $r1, $r0, 4
    add.b32         $r0, $r0, 8
    mov.u32         g[$r1], $r2
    mov.end.u32     g[$r0], $r3
}

.entry increments_triples_shared                    // blocks of 256 threads
{
  .param ptr out
  .param ptr in
  .shared words, 4*3*256
    cvt.u32.u16     $r1, $r0.lo
    cvt.u32.u16     $r2, %ctaid.x
    mov.b32         $r3, 3*256
    mad24.lo.u32    $r0, $r2, $r3, $r1
    shl.u32         $r0, $r0, 2
    add.u32         $r2, s[in], $r0
    add.u32         $r0, s[out], $r0
    movsh.b32       $ofs1, $r1, 2
    add.b32         $r3, $r2, 4*256
    add.b32         $r4, $r2, 4*512
    mov.u32         $r2, g[$r2]
    mov.u32         $r3, g[$r3]
    mov.u32         $r4, g[$r4]
    mov.b32         s[$ofs1+words], $r2
    mov.b32         s[$ofs1+words+4*256], $r3
    mov.b32         s[$ofs1+words+4*512], $r4
    bar.sync        0
    shl.u32         $r2, $r1, 1
    add.u32         $r1, $r1, $r2
    movsh.b32       $ofs2, $r1, 2                   // 12 bytes a thread
.rept 3, i
    mov.b32         $r2, s[$ofs2+words+4*i]
    add.rn.f32      $r2, $r2, 2.0f
    mov.b32         s[$ofs2+words+4*i], $r2
.endr
    bar.sync        0
    mov.b32         $r2, s[$ofs1+words]
    mov.u32         g[$r0], $r2
    add.b32         $r1, $r0, 4*256
    add.b32         $ofs2, $ofs1, 4*256
    mov.b32         $r2, s[$ofs2+words]
    mov.u32         g[$r1], $r2
    add.b32         $r0, $r0, 4*512
    add.b32         $ofs2, $ofs1, 4*512
    mov.b32         $r2, s[$ofs2+words]
    mov.end.u32     g[$r0], $r2
}
