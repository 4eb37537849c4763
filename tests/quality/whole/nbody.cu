// SPDX-License-Identifier: Apache-2.0
// Forces between all pairs of bodies as Nyland, Harris and Prins 2007 (GPU Gems 3, chapter 31) wrote them: tiles of 256 bodies in
// shared memory, one interaction a function, the loop over a tile written out 1, 2 or 4 times.
#define BODIES 256

__device__ __forceinline__ float3 interaction(float4 own, float4 other, float3 force, float softening) {
  float3 r;
  r.x = other.x - own.x;
  r.y = other.y - own.y;
  r.z = other.z - own.z;
  float squared = r.x * r.x + r.y * r.y + r.z * r.z + softening;
  float sixth = squared * squared * squared;
  float inverse = 1.0f / sqrtf(sixth);
  float s = other.w * inverse;
  force.x += r.x * s;
  force.y += r.y * s;
  force.z += r.z * s;
  return force;
}

template <int unroll>
__device__ __forceinline__ void forces(float4* force, const float4* body, int n, float softening) {
  __shared__ float4 tile[BODIES];
  int index = blockIdx.x * BODIES + threadIdx.x;
  float4 own = body[index];
  float3 sum = {0.0f, 0.0f, 0.0f};
  for (int first = 0; first < n; first += BODIES) {
    tile[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
#pragma unroll 1
    for (unsigned i = 0; i < blockDim.x;) {
      sum = interaction(own, tile[i++], sum, softening);
      if (unroll > 1) sum = interaction(own, tile[i++], sum, softening);
      if (unroll > 2) {
        sum = interaction(own, tile[i++], sum, softening);
        sum = interaction(own, tile[i++], sum, softening);
      }
    }
    __syncthreads();
  }
  float4 result = {sum.x, sum.y, sum.z, 0.0f};
  force[index] = result;
}

extern "C" __global__ void nbody_1(float4* force, const float4* body, int n, float softening) { forces<1>(force, body, n, softening); }
extern "C" __global__ void nbody_2(float4* force, const float4* body, int n, float softening) { forces<2>(force, body, n, softening); }
extern "C" __global__ void nbody_4(float4* force, const float4* body, int n, float softening) { forces<4>(force, body, n, softening); }
