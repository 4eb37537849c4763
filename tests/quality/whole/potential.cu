// SPDX-License-Identifier: Apache-2.0
// The potential of point charges on a lattice after Stone et al. 2007: atoms in constant memory, eight points a thread that lie 16
// apart, so that what is written coalesces.
#define POINTS 8
#define ROW 16

__constant__ float4 atoms[1000];  // x, y, squared distance from the lattice, charge

extern "C" __global__ void potential(int count, float spacing, float* grid) {
  unsigned column = __umul24(blockIdx.x, ROW * POINTS) + threadIdx.x;
  unsigned row = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
  unsigned at = __umul24(__umul24(gridDim.x, ROW * POINTS), row) + column;
  float y = spacing * row, x = spacing * column, step = spacing * ROW;
  float sum[POINTS] = {};
  for (int atom = 0; atom < count; ++atom) {
    float dy = y - atoms[atom].y;
    float apart = dy * dy + atoms[atom].z;
    float dx = x - atoms[atom].x;
    float charge = atoms[atom].w;
#pragma unroll
    for (int i = 0; i < POINTS; ++i, dx += step) sum[i] += charge * rsqrtf(dx * dx + apart);
  }
#pragma unroll
  for (int i = 0; i < POINTS; ++i) grid[at + i * ROW] += sum[i];
}
