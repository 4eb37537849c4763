// SPDX-License-Identifier: Apache-2.0
// c = a * b, all n x n and stored column by column, in the scheme of Volkov & Demmel 2008: a block of 64 threads computes
// 64 x S elements of c, one row per thread in registers; only an S x S tile of b goes through shared memory, and each
// element of it is the shared operand of a multiply-add. Elements of a come straight from global memory, ahead of their use.
// S = 8, 16, 32 with the registers and the shared memory of Zhang & Owens 2011, Table 2.
// A tile goes as in the source that Volkov published: four columns of a are loaded together with the tile of b, when no warp
// needs the tile before any more, and each further column when the one four before it has been used. What is loaded is not
// carried into the next tile.
// Grid: n / 64, n / S. Block: S threads along a column of the tile, 64 / S columns.
.equ HEADER, 60                   // bytes of shared memory beside the tile in their table
.equ AHEAD, 4                     // columns of a in registers

.macro load_a k
    mov.u32         $r(A+(\k)%AHEAD), g[pa]
    add.u32         pa, s[pitch], pa
.endm

// Two rows of a tile of 8, each times one element of a. Operands in shared memory reach 124 bytes behind an address register,
// those of short instructions 60.
.macro pair8 k, loads
    mov.b32         $ofs2, tile+(\k)*ROW
.rept 2, row
.rept 8, i
    mad.f32         $r(C+i), s[$ofs2+row*ROW+4*i], $r(A+(\k+row)%AHEAD), $r(C+i)
.endr
.rept \loads
    load_a          \k+row
.endr
.endr
.endm

.macro rows8
.rept (S-AHEAD)/2, pair
    pair8           2*pair, 1
.endr
.rept AHEAD/2, pair
    pair8           S-AHEAD+2*pair, 0
.endr
.endm

// A row of a larger tile, in pieces of 16.
.macro row k
.rept S/16, piece
    mov.b32         $ofs2, tile+(\k)*ROW+64*piece
.rept 16, i
    mad.half.f32    $r(C+16*piece+i), s[$ofs2+4*i], $r(A+(\k)%AHEAD), $r(C+16*piece+i)
.endr
.endr
.endm

.macro rows16
.rept S-AHEAD, k
    row             k
    load_a          k
.endr
.rept AHEAD, k
    row             S-AHEAD+k
.endr
.endm

.macro rows32
    rows16
.endm

// c, a, b: first registers of the sums, of elements of a, of elements of b on their way to shared memory.
.macro volkov size, registers, c, a, b
.entry volkov\size
{
  .equ S, \size
  .equ C, \c
  .equ A, \a
  .equ B, \b
  .equ PER, S*S/64                // elements of the tile that each thread brings
  .equ ROW, 4*(S+1)               // one word more than needed: a column goes to different banks
  .param ptr a
  .param ptr b
  .param ptr c
  .param u32 pitch                // bytes from one column to the next, of all three
  .shared tile, S*ROW
  .reg \registers
  .smem S*ROW+HEADER
  .alias pa, $r1
  .alias pb, $r2
  .alias end, $r3
    and.b32         $r4, $r0, 0x0000ffff            // x: row of the tile
    shr.u32         $r5, $r0, 16                    // y: column of the tile
    mov.b32         $r6, s[pitch]
    mov.u32.u16     $r1, %ctaid.y
    mul24.lo.u32    $r1, $r1, S
    add.u32         $r1, $r1, $r5
    mul24.lo.u32    $r2, $r1, $r6
    add.u32         $r2, s[b], $r2
    shl.u32         $r1, $r4, 2
    add.u32         pb, $r2, $r1                    // b[x][S * block y + y]
    add.u32         end, pb, $r6                    // where it stands after the last tile
    mul24.lo.u32    $r7, $r4, ROW
    shl.u32         $r8, $r5, 2
    add.u32         $r7, $r7, $r8
    movsh.b32       $ofs1, $r7, 0
    add.b32         $ofs1, $ofs1, tile              // tile[x][y]
    mov.u32.u16     $r1, %ctaid.x
    shl.u32         $r1, $r1, 6
    mul24.lo.u32    $r5, $r5, S
    add.u32         $r1, $r1, $r5
    add.u32         $r1, $r1, $r4
    shl.u32         $r1, $r1, 2                     // row of a and c: 64 * block x + S * y + x
    add.u32         pa, s[a], $r1
.rept (PER+12)/16
    mov.b32         $r5, 64/S
    mul24.lo.u32    $r4, $r6, $r5                   // 64 / S columns of b
.endr
.rept S, i
    mov.b32         $r(C+i), 0x00000000
.endr
next\@:
.rept AHEAD, i
    load_a          i
.endr
    mov.u32         $r(B), g[pb]
.rept (PER+12)/16
    mov.b32         $r5, pb
.endr
.rept PER-1, i
    add.u32         $r5, $r5, $r4
    mov.u32         $r(B+1+i), g[$r5]
.endr
    add.u32         pb, pb, 4*S
.rept PER, i
    mov.b32         s[$ofs1+i*256/S], $r(B+i)
.endr
    bar.sync.u32    0
    rows\size
    bar.sync.u32    0                               // nobody still reads the tile
    set.ne.u32      $p0|$o127, pb, end
@$p0.ne bra.label next\@
    mov.b32         $r2, s[pitch]
    mul24.lo.u32    $r0, $r2, $r2
    shr.u32         $r0, $r0, 2                     // bytes of a matrix: pa stands at this row of the column after the last
    sub.u32         $r0, pa, $r0
    subr.u32        $r0, s[a], $r0
    add.u32         $r0, s[c], $r0
    mov.u32.u16     $r1, %ctaid.y
    mul24.lo.u32    $r1, $r1, S
    mul24.lo.u32    $r1, $r1, $r2
    add.u32         $r0, $r0, $r1
.rept S, i
    mov.u32         g[$r0], $r(C+i)
    add.u32         $r0, s[pitch], $r0
.endr
    return
}
.endm

volkov 8, 16, 4, 12, 0
volkov 16, 30, 6, 22, 26
volkov 32, 58, 6, 38, 42
