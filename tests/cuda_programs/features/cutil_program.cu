// SPDX-License-Identifier: Apache-2.0
// A program in the manner of the SDK of CUDA 2.x: macros, timers, options and comparisons of cutil.
#include <cutil.h>
#include <cutil_math.h>
#include <stdio.h>

__global__ void rotate(float4* points, float3 axis, int count) {
  const unsigned int i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float3 point = make_float3(points[i].x, points[i].y, points[i].z);
  const float3 turned = cross(axis, point) + axis * dot(axis, point);
  points[i] = make_float4(turned.x, turned.y, turned.z, length(point));
}

int main(int argc, char** argv) {
  CUT_DEVICE_INIT(argc, argv);
  int count = 300;
  cutGetCmdLineArgumenti(argc, (const char**)argv, "count", &count);
  const unsigned int bytes = sizeof(float4) * count;
  float4* points = (float4*)malloc(bytes);
  float* expected = (float*)malloc(bytes);
  for (int i = 0; i < count; ++i) {
    points[i] = make_float4(i, 2 * i, 3 * i, 0);
    expected[4 * i] = -2.0f * i;
    expected[4 * i + 1] = i;
    expected[4 * i + 2] = 3.0f * i;
    expected[4 * i + 3] = sqrtf(14.0f) * i;
  }
  float4* device_points;
  CUDA_SAFE_CALL(cudaMalloc((void**)&device_points, bytes));
  CUDA_SAFE_CALL(cudaMemcpy(device_points, points, bytes, cudaMemcpyHostToDevice));
  unsigned int timer = 0;
  CUT_SAFE_CALL(cutCreateTimer(&timer));
  CUT_SAFE_CALL(cutStartTimer(timer));
  rotate<<<(count + 63) / 64, 64>>>(device_points, make_float3(0, 0, 1), count);
  CUT_CHECK_ERROR("Kernel execution failed");
  CUDA_SAFE_CALL(cudaThreadSynchronize());
  CUT_SAFE_CALL(cutStopTimer(timer));
  printf("Processing time: %f (ms)\n", cutGetTimerValue(timer));
  CUT_SAFE_CALL(cutDeleteTimer(timer));
  CUDA_SAFE_CALL(cudaMemcpy(points, device_points, bytes, cudaMemcpyDeviceToHost));
  const CUTBoolean is_right = cutCompareL2fe(expected, (float*)points, 4 * count, 1e-6f);
  printf("Test %s\n%s\n", is_right ? "PASSED" : "FAILED", is_right ? "PASSED" : "FAILED");
  free(points);
  free(expected);
  CUDA_SAFE_CALL(cudaFree(device_points));
  if (!is_right) return 1;
  CUT_EXIT(argc, argv);
}
