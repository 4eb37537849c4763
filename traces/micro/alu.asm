// SPDX-License-Identifier: Apache-2.0
// Arithmetic, predicates and branches: latencies (clock reads inside the kernel) and throughputs (kernel time).
// `teslasim validate` replaces the values of the .equ lines and keeps the one kernel that it needs; see README.md.
.arch sm_10
.equ COUNT, 64     // copies of the step
.equ PASSES, 2     // rounds over them; the first one fills the instruction cache
.equ OTHERS, 1     // instructions beside one of another kind (mixtures)

// Lanes write their clocks to out[2 * thread in grid].
.macro store_clocks
    mov.b16         $r3.lo, %ntid.x
    and.b32         $r1, $r0, 0x0000ffff
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1
    shl.u32         $r1, $r1, 3
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r7
    add.u32         $r1, $r1, 4
    mov.u32         g[$r1], $r8
.endm

.macro start
    mov.b32         $r1, 0x3f800000
    mov.b32         $r2, 0x3f7fff00
    mov.b32         $r3, 0x00000001
    mov.b32         $r4, 0x00000000
    mov.b32         $r5, PASSES
    mov.b32         $r6, 1
    set.ne.s32      $p0|$o127, $r6, $r4        // $p0: ne for all lanes
.endm

// Clock, steps, clock between barriers (Collange 2010, Fig. 1). The last pass is reported.
.macro latency step
.entry latency_\step
{
  .param ptr out
    start
again\@:
    bar.sync        0
    mov.b32         $r7, %clock
.rept COUNT
    \step
.endr
    mov.b32         $r8, %clock
    bar.sync        0
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    store_clocks
    return
}
.endm

// The same steps for the kernel time, in a loop that a subtraction with flags and a branch close.
.macro throughput step
.entry throughput_\step
{
  .param ptr out
    start
again\@:
.rept COUNT
    \step
.endr
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again\@
    return
}
.endm

// The same in a loop as compilers close it: subtraction, comparison, branch.
.macro compiled step
.entry compiled_\step
{
  .param ptr out
    start
again\@:
.rept COUNT
    \step
.endr
    sub.u32         $r5, $r5, $r6
    set.ne.u32      $p1|$o127, $r5, $r124   // $r124 is 0
@$p1.ne bra.label   again\@
    return
}
.endm

// The steps by the first warp, while the others keep the MAD unit busy with independent multiply-adds.
.macro company step
.entry company_\step
{
  .param ptr out
    start
    shr.u32         $r9, $r0, 5
    and.b32         $r9, $r9, 0x0000001f
    set.ne.s32      $p1|$o127, $r9, $r4
again\@:                         // the first round fills the instruction cache, the last is reported
    bar.sync        0
@$p1.ne bra.label   others\@
    mov.b32         $r7, %clock
.rept COUNT
    \step
.endr
    mov.b32         $r8, %clock
    bra.label       done\@
others\@:
    mov.b32         $r13, COUNT
more\@:
.rept 8
    mad.f32         $r10, $r1, $r2, $r3
.endr
    sub.u32         $p2|$r13, $r13, $r6
@$p2.ne bra.label   more\@
done\@:
    sub.u32         $p3|$r5, $r5, $r6
@$p3.ne bra.label   again\@
    store_clocks
    return
}
.endm

// Dependent chains: one, two, three different source registers.
.macro mad_1
    mad.f32         $r1, $r1, $r1, $r1
.endm
.macro mad_2
    mad.f32         $r1, $r1, $r2, $r1
.endm
.macro mad_3
    mad.f32         $r1, $r1, $r2, $r3
.endm
.macro mul_1
    mul.f32         $r1, $r1, $r1
.endm
.macro mul_2
    mul.f32         $r1, $r1, $r2
.endm
.macro add_1
    add.f32         $r1, $r1, $r1
.endm
.macro add_2
    add.f32         $r1, $r1, $r2
.endm
.macro int_add
    add.u32         $r1, $r1, $r2
.endm
.macro int_logic
    xor.b32         $r1, $r1, $r2
.endm
.macro int_mul24
    mul24.lo.u32    $r1, $r1, $r2
.endm
.macro rcp_1
    rcp.f32         $r1, $r1
.endm
.macro rsqrt_1
    rsqrt.f32       $r1, $r1
.endm
.macro lg2_1
    lg2.f32         $r1, $r1
.endm
.macro sin_1
    sin.f32         $r1, $r1
.endm

// k independent chains of one warp.
.macro independent_1
    mad.f32         $r1, $r1, $r1, $r1
.endm
.macro independent_2
    mad.f32         $r1, $r1, $r1, $r1
    mad.f32         $r2, $r2, $r2, $r2
.endm
.macro independent_3
    independent_2
    mad.f32         $r3, $r3, $r3, $r3
.endm
.macro independent_4
    independent_3
    mad.f32         $r4, $r4, $r4, $r4
.endm
.macro independent_5
    independent_4
    mad.f32         $r9, $r9, $r9, $r9
.endm
.macro independent_6
    independent_5
    mad.f32         $r10, $r10, $r10, $r10
.endm
.macro independent_7
    independent_6
    mad.f32         $r11, $r11, $r11, $r11
.endm
.macro independent_8
    independent_7
    mad.f32         $r12, $r12, $r12, $r12
.endm

// Predicates (Collange 2010, section 8.2 and Table 5).
.macro mad_unpredicated
    mad.f32         $r4, $r1, $r2, $r3
.endm
.macro mad_true
@$p0.ne mad.f32     $r4, $r1, $r2, $r3
.endm
.macro mad_false
@$p0.eq mad.f32     $r4, $r1, $r2, $r3
.endm
.macro set_then_predicated
    set.ne.s32      $p1|$o127, $r2, $r3
@$p1.ne mov.b32     $r4, $r1
.endm
.macro set_then_other
    set.ne.s32      $p1|$o127, $r2, $r3
@$p0.ne mov.b32     $r4, $r1
.endm
.macro set_result
    set.ne.s32      $r2, $r2, $r3
.endm
.macro bra_taken
@$p0.ne bra.label   next\@
next\@:
.endm
.macro bra_not_taken
@$p0.eq bra.label   next\@
next\@:
.endm

// Mixtures for several units.
.macro mad_mul
    mad.f32         $r4, $r1, $r2, $r3
    mul.f32         $r4, $r1, $r2
.endm
.macro mad_mov_sfu               // marked by the compiler: always for the SFU's multipliers
    mad.f32         $r4, $r1, $r2, $r3
    mov.sfu.b32     $r7, $r1
.endm
.macro mov_sfu
    mov.sfu.b32     $r1, $r1
.endm
.macro mul_free
    mul.f32         $r4, $r1, $r2
.endm
.macro rcp_free
    rcp.f32         $r4, $r1
.endm
.macro rcp_mad4
    rcp.f32         $r4, $r1
    mad.f32         $r3, $r1, $r2, $r2
    mad.f32         $r3, $r1, $r2, $r2
    mad.f32         $r3, $r1, $r2, $r2
    mad.f32         $r3, $r1, $r2, $r2
.endm

// Barriers.
.macro barrier
    bar.sync        0
.endm

// One instruction of a kind among OTHERS of another: what issues beside what (E31).
.macro mad_among_muls
    mad_unpredicated
.rept OTHERS
    mul_free
.endr
.endm
.macro branch_among_mads
    bra_taken
.rept OTHERS
    mad_unpredicated
.endr
.endm
.macro barrier_among_mads
    barrier
.rept OTHERS
    mad_unpredicated
.endr
.endm
.macro dropped_among_mads
    mad_false
.rept OTHERS
    mad_unpredicated
.endr
.endm

latency mad_1
latency mad_2
latency mad_3
latency mul_1
latency mul_2
latency add_1
latency add_2
latency int_add
latency int_logic
latency int_mul24
latency rcp_1
latency rsqrt_1
latency lg2_1
latency sin_1
latency independent_1
latency independent_2
latency independent_3
latency independent_4
latency independent_5
latency independent_6
latency independent_7
latency independent_8
latency mad_unpredicated
latency mad_true
latency set_then_predicated
latency set_then_other
latency set_result
latency bra_taken
latency bra_not_taken
latency barrier
throughput mad_2
throughput mul_2
throughput add_2
throughput rcp_1
throughput sin_1
throughput mad_unpredicated
throughput mad_true
throughput mad_false
throughput mad_mul
throughput mad_mov_sfu
throughput mul_free
throughput rcp_free
throughput rcp_mad4
company mul_1
company mov_sfu
company mul_2
throughput mad_3
compiled mad_3
compiled mul_2
compiled rcp_1
throughput mad_among_muls
throughput branch_among_mads
throughput barrier_among_mads
throughput dropped_among_mads
