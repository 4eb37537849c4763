// SPDX-License-Identifier: Apache-2.0
// c = a * b with tiles of 16x16 elements in shared memory: each element of a and b is read from global memory once per
// block instead of once per thread. Blocks of 16x16 threads; all extents are multiples of 16.
// a has k columns, b and c have n columns.
.equ tile, 16                     // elements on a side
.equ row_bytes, 4 * tile          // from one row of a tile to the next
.equ tile_bytes, tile * row_bytes

.entry matmul_tiled
{
  .param ptr a
  .param ptr b
  .param ptr c
  .param u32 k
  .param u32 n
  .shared tile_a, tile_bytes
  .shared tile_b, tile_bytes

    and.b32         $r1, $r0, 0x0000ffff            // thread index x
    shr.u32         $r2, $r0, 16                    // thread index y
    mov.u32.u16     $r3, %ctaid.x
    mov.u32.u16     $r4, %ctaid.y
    shl.u32         $r3, $r3, 4
    shl.u32         $r4, $r4, 4
    add.u32         $r3, $r3, $r1                   // column of c
    add.u32         $r4, $r4, $r2                   // row of c

    mad24.lo.u32    $r5, s[k], $r4, $r1
    shl.u32         $r5, $r5, 2
    add.u32         $r5, s[a], $r5                  // a[row][x]
    mov.b32         $r6, s[k]
    shl.u32         $r6, $r6, 2
    add.u32         $r6, $r5, $r6                   // where it stands after the last tile
    mad24.lo.u32    $r7, s[n], $r2, $r3
    shl.u32         $r7, $r7, 2
    add.u32         $r7, s[b], $r7                  // b[y][column]
    mov.b32         $r8, s[n]
    shl.u32         $r8, $r8, 6                     // bytes from one tile of b to the one below: 16 rows

    movsh.b32       $ofs1, $r2, 6                   // row y of tile a
    shl.u32         $r9, $r2, 4
    add.u32         $r9, $r9, $r1
    movsh.b32       $ofs2, $r9, 2                   // element (y, x) of a tile
    movsh.b32       $ofs4, $r1, 2                   // column x of tile b
    mov.b32         $r10, 0x00000000                // sum

next_tile:
    mov.u32         $r11, g[$r5]
    mov.u32         $r12, g[$r7]
    add.u32         $r5, $r5, row_bytes
    add.u32         $r7, $r7, $r8
    mov.b32         s[$ofs2+tile_a], $r11
    mov.b32         s[$ofs2+tile_b], $r12
    bar.sync.u32    0x00000000                      // the tiles are complete
    // Row y of tile a is one word for all threads of a half-warp (a broadcast) and can be a source of the mad itself.
    // A source in s[] reaches only 124 bytes behind its address register, so column x of tile b takes a new address
    // register value for every two rows.
.rept tile / 2, i
    add.b32         $ofs3, $ofs4, tile_b + 2 * row_bytes * i
    mov.b32         $r13, s[$ofs3]
    mov.b32         $r14, s[$ofs3+row_bytes]
    mad.f32         $r10, s[$ofs1+tile_a+8*i], $r13, $r10
    mad.f32         $r10, s[$ofs1+tile_a+8*i+4], $r14, $r10
.endr
    bar.sync.u32    0x00000000                      // nobody still reads them
    set.ne.u32      $p0|$o127, $r5, $r6
@$p0.ne bra.label next_tile

    mad24.lo.u32    $r4, s[n], $r4, $r3             // row * n + column
    shl.u32         $r4, $r4, 2
    add.u32         $r4, s[c], $r4
    mov.u32         g[$r4], $r10
    return
}
