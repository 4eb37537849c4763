// SPDX-License-Identifier: Apache-2.0
// Reaches what the shipped kernels do not: constants, local memory, textures, and every degree of conflict. For the audit that
// every statistic and every stall reason is counted in some run (nonzero.py); nothing else is meant by it.
.arch sm_11
.const c0[0] : u32 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
.const c0[65532] : u32 0                           // the whole bank

// As many different words as lanes of a half-warp, up to DEGREE: of one bank of shared memory, and of constant memory.
.macro degree DEGREE
    mov.b32         $r4, \DEGREE-1
    min.u32         $r5, $r3, $r4
    movsh.b32       $ofs2, $r5, 6
    mov.b32         $r6, s[$ofs2+words]
    movsh.b32       $ofs3, $r5, 2
    mov.b32         $r7, c0[$ofs3]
    add.u32         $r8, $r6, $r7
.endm

.entry every_unit
{
  .param ptr in
  .param ptr out
  .shared words, 1024
  .lmem 64
    and.b32         $r1, $r0, 0x0000ffff
    and.b32         $r3, $r1, 15
.rept 16, i
    degree          (i+1)
.endr
    movsh.b32       $ofs1, $r124, 0
    mov.u32         l[$ofs1], $r1
    mov.u32         $r9, l[$ofs1]
    add.u32         $r9, $r9, $r8
    mov.b32         $r10, $r1
    tex.1d.b32.s32  {$r10,_,_,_}, $tex0, {$r10}
    add.u32         $r9, $r9, $r10
    mov.u32.u16     $r11, %ctaid.x
    mov.u32.u16     $r12, %ntid.x
    mul24.lo.u32    $r11, $r11, $r12
    add.u32         $r11, $r11, $r1
    shl.u32         $r11, $r11, 2
    add.u32         $r11, s[out], $r11
    mov.u32         g[$r11], $r9
    red.add.u32     g[$r11], $r1
    mov.b64         l[$ofs1+8], $r8                // 8 bytes of each lane
    set.ne.u32      $p0|$o127, $r1, $r124
@$p0.ne return                                     // one lane is left: the smallest transactions
    mov.u32         l[$ofs1+4], $r9
    mov.u32         g[$r11], $r9
    mov.u32.u16     $r12, %ctaid.x
    set.ne.u32      $p0|$o127, $r12, $r124
@$p0.ne return
    mov.b32         $r2, 2
    mov.b32         $r6, 1
again:                                             // all constants, twice: more than the first two levels hold
    mov.b32         $r5, 1024
    movsh.b32       $ofs3, $r124, 0
line:
    mov.b32         $r7, c0[$ofs3]
    add.b32         $ofs3, $ofs3, 64
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   line
    sub.u32         $p1|$r2, $r2, $r6
@$p1.ne bra.label   again
    return
}
