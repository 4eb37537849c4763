// SPDX-License-Identifier: Apache-2.0
// Leans on what the shipped kernels use lightly, so that each configuration key changes some result (keys_change_results.py):
// calls, limited calls, warps in different code, reads that caches and TLBs do not hold, products side by side, the clock.
.arch sm_11

.macro far_reads                                   // another texel and word of the 2^18 in each round
    mul24.lo.u32    $r4, $r4, $r13
    add.u32         $r4, $r4, $r6
    and.b32         $r5, $r4, 0x0003ffff
    mov.b32         $r10, $r5
    tex.1d.b32.s32  {$r10,_,_,_}, $tex0, {$r10}
    shl.u32         $r5, $r5, 2
    add.u32         $r5, s[in], $r5
    mov.u32         $r8, g[$r5]
    add.u32         $r9, $r9, $r10
    add.u32         $r9, $r9, $r8
.endm

.macro own_code WARP
    mov.b32         $r8, \WARP
    set.ne.u32      $p0|$o127, $r5, $r8
@$p0.ne bra.label   past\@
.rept 150
    add.u32         $r9, $r9, $r6
.endr
past\@:
.endm

.entry every_key
{
  .param ptr in
  .param ptr out
    mov.b32         $r14, %clock
    and.b32         $r1, $r0, 0x0000ffff
    mov.u32.u16     $r11, %ctaid.x
    mov.u32.u16     $r12, %ntid.x
    mul24.lo.u32    $r11, $r11, $r12
    add.u32         $r11, $r11, $r1
    mov.b32         $r6, 1
    mov.b32         $r13, 5173
    mov.b32         $r4, $r11
    mov.b32         $r9, 0
    mov.b32         $r2, 2
again:                                             // the same addresses twice
    mov.b32         $r4, $r11
    mov.b32         $r3, 12
round:
    far_reads
    sub.u32         $p1|$r3, $r3, $r6
@$p1.ne bra.label   round
    sub.u32         $p1|$r2, $r2, $r6
@$p1.ne bra.label   again
    mov.b32         $r7, 0x3f800000
.rept 16
    mul.rn.f32      $r7, $r7, $r7
    mad.rn.f32      $r15, $r7, $r7, $r7
    mul.rn.f32      $r16, $r7, $r7
    mul.rn.f32      $r17, $r7, $r7
.endr
    call.lim        deeper
    call            one
    shr.u32         $r5, $r1, 5                    // each warp in code of its own
    own_code        0
    own_code        1
    own_code        2
    own_code        3
    set.ne.u32      $p0|$o127, $r1, $r1            // operands in shared memory that no lane wants
.rept 16
@$p0.ne add.u32     $r9, s[in], $r9
    add.u32         $r9, $r9, $r6
.endr
    shl.u32         $r11, $r11, 3
    add.u32         $r11, s[out], $r11
    mov.u32         g[$r11], $r9
    add.u32         $r11, $r11, 4
    mov.u32         g[$r11], $r14
    return
deeper:
    call.lim        deepest
    return
deepest:
    add.u32         $r9, $r9, $r6
    return
one:
    call            two
    return
two:
    call            three
    return
three:
    call            four
    return
four:
    call            five
    return
five:
    add.u32         $r9, $r9, $r6
    return
}
